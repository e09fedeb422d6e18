"""Whatever happened to a notebook, its solutions are found, or a reason says why not."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from benchmarks.submissions.damage import DAMAGES, Damage
from benchmarks.submissions.damage.kind import right
from grading.classroom.reading import read_submission
from grading.classroom.results import Results
from grading.classroom.run import grade_class
from grading.exercises.registry import chapter
from grading.extraction import ExerciseSource, extract
from grading.submission import find_submissions
from grading.submission.cell_ids import exercise_cell_id

EXERCISES = {name: exercise_cell_id(name) for name in chapter(3).exercises}


def definition(source: str, name: str) -> str:
    """The definition of that name in a text, as its tree: how it is laid out does not matter."""
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    (found,) = {ast.dump(_bare(node)) for node in nodes if node.name == name}
    return found


def _bare(node: ast.FunctionDef | ast.ClassDef) -> ast.AST:
    """Without what is laid out with it: a decorator, and the docstrings."""
    node.decorator_list = []
    for inner in ast.walk(node):
        if isinstance(inner, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(inner) is not None:
            del inner.body[0]
    return node


RIGHT = {
    name: definition(cell["source"], name)
    for name, cell_id in EXERCISES.items()
    for cell in right()["cells"]
    if cell["id"] == cell_id
}


def handed_in(damage: Damage, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / damage.file_name).write_bytes(damage.make())
    return folder


def is_found(found: ExerciseSource) -> bool:
    """Whether the text that would be graded runs, and defines the student's own solution."""
    if found.status != "found" or found.unknown:
        return False
    name = "my_mask" if "my_mask" in found.source else found.name
    return definition(found.source, name).replace("my_mask", found.name) == RIGHT[found.name]


@pytest.mark.parametrize("name", DAMAGES)
def test_solutions_are_found_or_a_reason_is_given(name: str, tmp_path: Path) -> None:
    damage = DAMAGES[name]
    (file,) = find_submissions(handed_in(damage, tmp_path))
    assert file.student.startswith("alice")
    read = read_submission(file, 3)
    if read.notebook is None:
        assert damage.lost == EXERCISES.keys() and len(read.problem) > 20
        return
    for exercise, found in extract(read.notebook, EXERCISES).exercises.items():
        if exercise in damage.lost:
            assert found.status != "found" and found.problem
        else:
            assert is_found(found), f"{exercise}: {found.status} {found.problem} {found.unknown}"


def test_marks_are_those_of_the_solutions(tmp_path: Path) -> None:
    tried = [damage for damage in DAMAGES.values() if damage.lost or "Colab" in damage.name]
    for damage in tried:
        folder = tmp_path / "submissions" / damage.name
        folder.mkdir(parents=True)
        handed_in(damage, folder)
    records = grade_class(tmp_path / "submissions", Results(tmp_path / "results", 3))
    for damage, record in zip(sorted(tried, key=lambda damage: damage.name), records, strict=True):
        points = sum(exercise.points for name, exercise in chapter(3).exercises.items() if name not in damage.lost)
        assert (record["student"], record["earned"]) == (damage.name, points)
