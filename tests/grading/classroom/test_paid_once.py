"""What is wrong in one exercise costs nothing in the exercises that build on it."""

from __future__ import annotations

import hashlib
import linecache
from pathlib import Path

import pytest

from benchmarks.submissions.notebooks import handed_in, right_answers
from grading.classroom.results import Results
from grading.classroom.run import grade_class
from grading.exercises.registry import chapter, chapters
from grading.extraction import Extraction, extract
from grading.judging.exercise import Chapter, Exercise, Mistake
from grading.lessons.notebook import notebook_text
from grading.submission import SubmissionFile, read_notebooks
from grading.submission.cell_ids import exercise_cell_id

pytestmark = pytest.mark.long


@pytest.mark.parametrize("number", chapters())
def test_a_mistake_costs_its_own_exercise_alone(number: int, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Each exercise is left out, raises and has a known mistake: one in turn, or with `--every-mistake` all of them."""
    of = chapter(number)
    of.load_mistakes()
    wrong = {}
    for name in _built_on(of, tmp_path):
        wrong |= {f"{name}, left out": (name, ""), f"{name}, raises": (name, f"def {name}(*_, **__):\n    raise 1")}
        turn = hashlib.sha256(right_answers(number)[exercise_cell_id(name)].encode()).digest()[0]
        known = of.exercises[name].mistakes
        every = request.config.getoption("every_mistake")
        for mistake in known if every else [known[turn % len(known)]]:
            wrong[f"{name}, {mistake.name}"] = name, _written(of, of.exercises[name], mistake)
    folder = tmp_path / "class"
    folder.mkdir()
    for place, (name, source) in enumerate(wrong.values()):
        (folder / f"{place}.ipynb").write_text(notebook_text(handed_in(number, {name: source})))
    records = {record["student"]: record for record in grade_class(folder, Results(tmp_path / "results", number))}
    paid_twice = {}
    for place, (about, (name, _)) in enumerate(wrong.items()):
        lost = {one["name"]: one["checks"] for one in records[str(place)]["exercises"] if not one["passed"]}
        if set(lost) != {name}:
            paid_twice[about] = {other: [check["message"] for check in lost[other]] for other in set(lost) - {name}}
    assert paid_twice == {}


def _built_on(of: Chapter, scratch: Path) -> list[str]:
    """The exercises that other exercises of the solved notebook use."""
    path = scratch / "solved.ipynb"
    path.write_text(notebook_text(handed_in(of.number, {})))
    found = _cut(path, of)
    return [name for name in of.exercises if any(name in other.builds_on for other in found.exercises.values())]


def _cut(path: Path, of: Chapter) -> Extraction:
    notebook = read_notebooks(SubmissionFile("solved", path, (path,)))[0]
    return extract(notebook, {name: exercise_cell_id(name) for name in of.exercises})


def _written(of: Chapter, exercise: Exercise, mistake: Mistake) -> str:
    """A known mistake as a student's cell."""
    assert mistake.implementation
    begins = f"<{exercise.name}, {mistake.name}: "
    texts = ["".join(entry[2]) for name, entry in linecache.cache.items() if name.startswith(begins)]
    assert texts
    return "\n\n".join(["import math", f"import {of.module_name} as right", *texts])
