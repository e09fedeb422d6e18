"""Grades the hostile class in the real sandbox, among honest neighbours, and says what each attack achieved."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from benchmarks.submissions.hostile import canaries, corpus, files
from benchmarks.submissions.hostile.corpus import Attack
from grading.classroom.results import Results
from grading.classroom.run import grade_class
from grading.classroom.submission_record import SubmissionRecord
from grading.exercises.registry import chapter
from grading.report.pages import write_pages
from grading.sandbox import session

# Shorter than for a real class, so that what never answers costs little.
_SECONDS = 4.0
NEIGHBOURS = ("a neighbour, first", "in the middle, a neighbour", "z neighbour, last")


@dataclass(frozen=True)
class Outcome:
    """What became of one attack; `faults` says what it achieved, and is empty where it was held."""

    attack: Attack
    faults: list[str]


def try_all(folder: Path) -> list[Outcome]:
    """Grades every attack, with an honest submission before, between and after them.

    Args:
        folder: an empty one.

    Returns:
        An outcome for each attack, and one for the class as a whole.
    """
    submissions, results = folder / "submissions", Results(folder / "results", 3)
    submissions.mkdir()
    with canaries.laid_out(folder / "canaries") as laid, mock.patch.object(session, "_OPERATION_SECONDS", _SECONDS):
        attacks = _hand_in(submissions, laid, [submissions, results.folder])
        before = _names(submissions)
        records = {record["student"]: record for record in grade_class(submissions, results, jobs=2)}
        pages = write_pages(results.folder, chapter(3), list(records.values())).parent
        shared = [*laid.harmed(), *_changes(before, submissions), *_neighbours(records), *_markup(pages)]
        outcomes = [Outcome(attack, _faults(attack, records, laid.token)) for attack in attacks]
    return [*outcomes, all_together(shared)]


def surroundings(laid: canaries.Canaries, near: list[Path]) -> dict[str, str]:
    """What the names in capitals of an attack's source stand for: where these canaries and these folders are."""
    return {
        "CANARY_FOLDERS": repr([str(path) for path in [laid.folder, *near]]),
        "CANARY_PORT": str(laid.port),
        "CANARY_TOKEN": repr(laid.token),
        "SLOWLY": str(0.8 * _SECONDS),
    }


def undeserved(attack: Attack, earned: dict[str, float]) -> list[str]:
    """Where an attack earns more than what is right in it."""
    deserved = {attack.exercise: attack.earns, corpus.CAUSAL: corpus.HONEST}
    more = {name: points for name, points in earned.items() if points > deserved.get(name, 0.0)}
    return [f"{name} earns {points:g}" for name, points in more.items()]


def all_together(faults: list[str]) -> Outcome:
    """What no single attack can be charged with: harm to the class and to what is around it."""
    return Outcome(Attack("all together", "harms others", "Grades them all in one class.", None), faults)


def given_away(text: str, token: str) -> list[str]:
    """What its words show that it must not know."""
    return ["it says what it must not know"] if token in text or "leak" in text else []


def _hand_in(submissions: Path, laid: canaries.Canaries, near: list[Path]) -> list[Attack]:
    around = surroundings(laid, near)
    for attack in corpus.attacks():
        (submissions / f"{attack.name}.ipynb").write_text(json.dumps(attack.notebook(around)))
    for name in NEIGHBOURS:
        (submissions / f"{name}.ipynb").write_text(corpus.right_notebook())
    return [*corpus.attacks(), *files.hand_in_files(submissions, laid.folder / "expected.txt")]


def _faults(attack: Attack, records: dict[str, SubmissionRecord], token: str) -> list[str]:
    if attack.name not in records:
        return ["it was not graded"]
    record = records[attack.name]
    text = json.dumps(record, ensure_ascii=False)
    earned = {exercise["name"]: exercise["earned"] for exercise in record["exercises"]}
    said = json.dumps({**record, "code": {}})  # what was found, and not what was handed in
    faults = [*undeserved(attack, earned), *given_away(said, token)]
    refused = any(exercise["refused"] for exercise in record["exercises"])
    if earned.get(attack.exercise, 0.0) < attack.earns and not refused:
        faults.append(f"its exercise earns less than {attack.earns:g}")
    if attack.earns == 0 and attack.source is None and not record["problem"]:
        faults += [] if attack.name == "points raised" else ["what cannot be read has no reason"]
    if any(sign in text for sign in ("\x1b", "\x9b", "\u202e")):
        faults.append("its words command the terminal")
    if attack.flagged and not refused:
        faults.append("nobody is told of it")
    return faults


def _neighbours(records: dict[str, SubmissionRecord]) -> list[str]:
    return [
        f"{name} earns {records[name]['earned']:g} of {chapter(3).points:g}"
        for name in NEIGHBOURS
        if records[name]["earned"] != chapter(3).points
    ]


def _markup(pages: Path) -> list[str]:
    signs = ("<script>alert('it runs')", "<img src=x", "alert(1)>", "\x1b")
    texts = {path: path.read_text() for path in pages.rglob("*.html")}
    return [f"{sign!r} stands in {path.name}" for path, text in texts.items() for sign in signs if sign in text]


def _names(submissions: Path) -> set[str]:
    return {str(path) for path in submissions.rglob("*")}


def _changes(before: set[str], submissions: Path) -> list[str]:
    return [f"{path} came or went" for path in before ^ _names(submissions)]
