"""An answer to one exercise, wrong or right in another way, costs nothing in the exercises that build on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.submissions.notebooks import handed_in
from grading.classroom.results import Results
from grading.classroom.run import grade_class
from grading.exercises.registry import chapter, chapters
from grading.exercises.solutions import SOLUTIONS
from grading.extraction import extract
from grading.lessons.notebook import notebook_text
from grading.release.library import lesson_of
from grading.storage.project import PROJECT
from grading.submission import Cell, Notebook
from grading.submission.cell_ids import exercise_cell_id
from tests.in_turn import turn_of

pytestmark = pytest.mark.long


def _built_on(number: int) -> list[str]:
    """The exercises that other exercises of the solved notebook use."""
    cells = [
        Cell(cell.id, cell.cell_type, cell.source, place) for place, cell in enumerate(handed_in(number, {}).cells, 1)
    ]
    exercises = {name: exercise_cell_id(name) for name in chapter(number).exercises}
    found = extract(Notebook("", tuple(cells), number, (), ""), exercises).exercises
    return [name for name in exercises if any(name in other.builds_on for other in found.values())]


@pytest.mark.parametrize("number", [number for number in chapters() if _built_on(number)])
def test_an_answer_costs_its_own_exercise_alone(number: int, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Each exercise is left out, raises, has a known mistake and is right in another style.

    Mistakes and right solutions take turns; with `--every-mistake`, all of them are handed in.
    """
    of = chapter(number)
    of.load_mistakes()
    turn = turn_of(lesson_of(number, PROJECT).path)
    every = request.config.getoption("every_mistake")
    answers, right = {}, set()
    for name in _built_on(number):
        answers |= {f"{name}, left out": (name, ""), f"{name}, raises": (name, f"def {name}(*_, **__):\n    raise 1")}
        known = [mistake for mistake in of.exercises[name].mistakes if mistake.code and set(mistake.code()) == {name}]
        for mistake in known if every else [known[turn % len(known)]]:
            assert mistake.code
            answers[f"{name}, {mistake.name}"] = name, f"import {of.module_name} as right\n\n{mistake.code()[name]}"
        solutions = SOLUTIONS[name]
        for solution in solutions if every else [solutions[turn % len(solutions)]]:
            right.add(about := f"{name}, right: {solution.style}")
            answers[about] = name, solution.source
    folder = tmp_path / "class"
    folder.mkdir()
    for place, (name, source) in enumerate(answers.values()):
        (folder / f"{place}.ipynb").write_text(notebook_text(handed_in(number, {name: source})))
    records = {record["student"]: record for record in grade_class(folder, Results(tmp_path / "results", number))}
    unjust = {}
    for place, (about, (name, _)) in enumerate(answers.items()):
        lost = {one["name"]: one["checks"] for one in records[str(place)]["exercises"] if not one["passed"]}
        if set(lost) != (set() if about in right else {name}):
            unjust[about] = {other: [check["message"] for check in checks] for other, checks in lost.items()}
    assert unjust == {}
