"""Types the course's own answers into the notebook of a bundle: `python -m tests.grading.release.type_in 3 FOLDER`.

A last cell then fails unless every exercise has full points, so that `jupyter execute` tells whether the bundle works.
"""

from __future__ import annotations

import argparse
from functools import cache
from pathlib import Path

import nbformat

from grading.exercises.registry import chapter
from grading.lessons.answers import find_answers
from grading.release.library import lesson_of
from grading.storage.project import PROJECT
from grading.submission.cell_ids import exercise_cell_id


@cache
def reference(number: int) -> dict[str, str]:
    """Return the library's own answers to a chapter's exercises, in the order of the lesson."""
    teaching = find_answers(lesson_of(number, PROJECT))
    return {
        answer.task.name: "\n\n\n".join(map(teaching.module.text, (*answer.helpers, answer.definition)))
        for answer in teaching.answers
    }


def type_in(answers: dict[str, str], wanted: dict[str, float], bundle: Path) -> Path:
    """Write answers into the notebook of an unpacked bundle, and return the notebook's path.

    Args:
        answers: the code of each answer, by the exercise's name.
        wanted: the points that each exercise must get, by its name.
        bundle: the folder of the bundle.
    """
    (path,) = bundle.glob("*.ipynb")
    notebook = nbformat.read(path, as_version=4)
    cells = {cell["id"]: cell for cell in notebook.cells}
    for name, source in answers.items():
        cells[exercise_cell_id(name)]["source"] = source
    module = "grading.student_kernel.check"
    last = f"import sys\n\nearned = sys.modules[{module!r}]._earned\nassert earned == {wanted!r}, earned"
    notebook.cells.append(nbformat.v4.new_code_cell(last))
    nbformat.write(notebook, path)
    return path


def points(number: int) -> dict[str, float]:
    """Return the full points of a chapter's exercises."""
    return {name: exercise.points for name, exercise in chapter(number).exercises.items()}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("chapter", type=int)
    parser.add_argument("bundle", type=Path)
    given = parser.parse_args()
    type_in(reference(given.chapter), points(given.chapter), given.bundle)
