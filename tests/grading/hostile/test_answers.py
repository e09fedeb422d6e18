"""Answers that attack the grader, and right ones near to them: hostile ones gain nothing, right ones lose nothing.

Most are by people who had not seen how the grader defends itself; the others stand for gaps that were found and closed
later. Each stands in a file of its own by chapter, with what it tries in its first line and what it is worth in its
second.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from nbformat import v4

from benchmarks.submissions.notebooks import handed_in
from grading.classroom.results import Results
from grading.classroom.run import grade_class
from grading.exercises.registry import chapter
from grading.lessons.notebook import notebook_text
from grading.release.library import lesson_of
from grading.storage.project import PROJECT
from grading.submission.cell_ids import exercise_cell_id
from tests.in_turn import turn_of

pytestmark = pytest.mark.long

_FOLDER = PROJECT / "benchmarks" / "submissions" / "hostile" / "attacks"
_WORTH = re.compile(r"^# exercise: (\w+); (right: |worth at most )([\d.]+)$", re.MULTILINE)
_OWN_CELL = "# %% the exercise's cell\n"
_NEIGHBOUR = "neighbour"
NUMBERS = sorted(int(folder.name[:2]) for folder in _FOLDER.iterdir() if folder.is_dir())


class Answer(NamedTuple):
    """An answer to one exercise.

    Attributes:
        is_right: whether it is a right one, which earns all of these points; others earn at most these.
        before: the text of a cell before the exercise's; "" where there is none.
    """

    name: str
    exercise: str
    is_right: bool
    points: float
    before: str
    source: str


def answers(number: int) -> list[Answer]:
    """The answers to the exercises of a chapter."""
    folder = _FOLDER / chapter(number).slug
    return [_answer(path.stem, path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.py"))]


def _answer(name: str, text: str) -> Answer:
    header = _WORTH.search(text)
    assert header is not None, f"{name} does not say what it is worth"
    before, _, source = text[header.end() :].rpartition(_OWN_CELL)
    return Answer(name, header[1], header[2].startswith("right"), float(header[3]), before, source.lstrip("\n"))


def test_the_page_for_instructors_counts_the_answers() -> None:
    every = [answer for number in NUMBERS for answer in answers(number)]
    assert len(NUMBERS) >= 10
    page = (PROJECT / "docs" / "instructors.md").read_text(encoding="utf-8")
    counts = re.search(
        r"wrote (\d+) more answers.*?beside (\d+) right ones.*?then, (\d+) hostile ones", page, re.DOTALL
    )
    assert counts is not None
    first, right, later = map(int, counts.groups())
    assert sum(not answer.is_right for answer in every) == first + later
    assert sum(answer.is_right for answer in every) == right


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A fourth of the chapters in turn, by what their lessons say; with `--every-turn`, all."""
    if "number" in metafunc.fixturenames:
        first = turn_of(*(lesson_of(one, PROJECT).path for one in NUMBERS)) % 4
        metafunc.parametrize("number", NUMBERS if metafunc.config.getoption("every_turn") else NUMBERS[first::4])


def test_hostile_answers_gain_nothing_and_right_ones_lose_nothing(number: int, tmp_path: Path) -> None:
    of = chapter(number)
    submissions = tmp_path / "submissions"
    submissions.mkdir()
    (submissions / f"{_NEIGHBOUR}.ipynb").write_text(notebook_text(handed_in(number, {})))
    for answer in answers(number):
        notebook = handed_in(number, {answer.exercise: answer.source})
        if answer.before:
            place = [cell.id for cell in notebook.cells].index(exercise_cell_id(answer.exercise))
            notebook.cells.insert(place, v4.new_code_cell(answer.before, id="another"))
        (submissions / f"{answer.name}.ipynb").write_text(notebook_text(notebook))
    records = {record["student"]: record for record in grade_class(submissions, Results(tmp_path / "results", number))}
    assert records[_NEIGHBOUR]["earned"] == of.points
    wrong = {}
    for answer in answers(number):
        earned = {exercise["name"]: exercise["earned"] for exercise in records[answer.name]["exercises"]}
        own = earned[answer.exercise]
        if own > answer.points or (answer.is_right and own < answer.points):
            wrong[answer.name] = f"earns {own:g}; it is worth {answer.points:g}"
        if answer.is_right and records[answer.name]["earned"] != of.points:
            wrong[answer.name] = f"the whole earns {records[answer.name]['earned']:g}"
    assert wrong == {}
