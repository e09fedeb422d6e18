"""The hostile submissions under nbgrader's `autograde` and `otter run`, with the same canaries around them.

These two run a notebook with the grader's own permissions. So attacks that use up the machine or write files are left
out here, because nothing would stop them. Attacks on a reader of our pages and damaged files are left out, too, because
they do not attack the program that runs the notebooks.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import nbformat

from benchmarks import nbgrader, otter
from benchmarks.submissions.hostile import canaries, corpus
from benchmarks.submissions.hostile.corpus import Attack
from benchmarks.submissions.hostile.trial import NEIGHBOURS, Outcome, all_together, given_away, surroundings, undeserved
from grading.exercises.registry import chapter
from grading.lessons.notebook import notebook_text

_LEFT_OUT = {"uses up the machine", "writes where it must not", "speaks to the reader"}
_CELL_SECONDS, _NOTEBOOK_SECONDS = 90, 300
NO_MARKS = "no marks at all"


def _under_nbgrader(folder: Path) -> list[Outcome]:
    """The outcomes under nbgrader, one notebook at a time, because some make `autograde` wait for ever."""
    course = folder / "course"
    nbgrader.make_course(course, _CELL_SECONDS)
    with canaries.laid_out(folder / "canaries") as laid:
        for name, text in _class(laid, [course, course / "source"]):
            nbgrader.hand_in(course, name, text)
            with contextlib.suppress(subprocess.TimeoutExpired):
                nbgrader.autograde(course, name, _NOTEBOOK_SECONDS)
        outcomes = [_nbgrader_outcome(attack, course, laid) for attack in _attacks()]
        there = [name for name in NEIGHBOURS if nbgrader.graded_notebook(course, name).exists()]
        neighbours = [nbgrader.points(course, name, chapter(3)) for name in there]
        return [*outcomes, _all_together(neighbours, laid)]


def _nbgrader_outcome(attack: Attack, course: Path, laid: canaries.Canaries) -> Outcome:
    graded = nbgrader.graded_notebook(course, attack.name)
    if not graded.exists():
        return Outcome(attack, [NO_MARKS])
    cells = nbformat.read(graded, as_version=4).cells  # their sources are the attack's own text
    outputs = json.dumps([cell.outputs for cell in cells if cell.cell_type == "code"])
    return _outcome(attack, nbgrader.points(course, attack.name, chapter(3)), outputs, laid)


def _under_otter(folder: Path) -> list[Outcome]:
    otter.install()
    otter.write_autograder(folder / "autograder.zip", chapter(3))
    with canaries.laid_out(folder / "canaries") as laid:
        results = {name: _otter_results(text, folder) for name, text in _class(laid, [folder])}
        outcomes = [_otter_outcome(attack, results[attack.name], laid) for attack in _attacks()]
        there = [text for name in NEIGHBOURS if (text := results[name])]
        return [*outcomes, _all_together(map(otter.points, there), laid)]


def _otter_outcome(attack: Attack, results: str | None, laid: canaries.Canaries) -> Outcome:
    if results is None:
        return Outcome(attack, [NO_MARKS])
    return _outcome(attack, otter.points(results), results, laid)


UNDER = {"nbgrader": _under_nbgrader, "Otter": _under_otter}


def _attacks() -> list[Attack]:
    return [attack for attack in corpus.attacks() if attack.kind not in _LEFT_OUT]


def _class(laid: canaries.Canaries, near: list[Path]) -> Iterator[tuple[str, str]]:
    around = surroundings(laid, near)
    notebooks = {attack.name: notebook_text(attack.notebook(around)) for attack in _attacks()}
    yield from sorted((notebooks | dict.fromkeys(NEIGHBOURS, corpus.right_notebook())).items())


def _otter_results(notebook: str, folder: Path) -> str | None:
    results = folder / "results.json"
    results.unlink(missing_ok=True)
    otter.write_submission(notebook, folder / "submission.ipynb", chapter(3))
    try:
        otter.run(folder / "submission.ipynb", folder / "autograder.zip", folder, _NOTEBOOK_SECONDS)
    except subprocess.SubprocessError:
        return None
    return results.read_text()


def _outcome(attack: Attack, earned: dict[str, float], text: str, laid: canaries.Canaries) -> Outcome:
    return Outcome(attack, [*undeserved(attack, earned), *given_away(text, laid.token)])


def _all_together(neighbours: Iterable[dict[str, float]], laid: canaries.Canaries) -> Outcome:
    right = [sum(earned.values()) == chapter(3).points for earned in neighbours]
    faults = laid.harmed() + ["a neighbour has not all points"] * (sum(right) < len(NEIGHBOURS))
    return all_together(faults)
