"""A chapter's notebook with some answers in it, as a student hands it in."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from functools import cache

from nbformat import NotebookNode

from grading.lessons.notebook import make_notebooks
from grading.release.library import lesson_of
from grading.storage.project import PROJECT
from grading.submission.cell_ids import exercise_cell_id


def handed_in(chapter: int, answers: Mapping[str, str], others: bool = True) -> NotebookNode:
    """The notebook of a chapter with these texts in the cells of their exercises.

    Args:
        chapter: its number.
        answers: the text of a cell for each exercise's name.
        others: whether the other exercises are solved as in the library, or left as they were released.
    """
    released, solved = _made(chapter)
    notebook = copy.deepcopy(solved if others else released)
    texts = {exercise_cell_id(name): text for name, text in answers.items()}
    for cell in notebook.cells:
        cell.source = texts.pop(cell.id, cell.source)
    if texts:
        raise ValueError(f"chapter {chapter} has no cell {', '.join(texts)}")
    return notebook


def right_answers(chapter: int) -> dict[str, str]:
    """The text of every cell of the solved notebook, by the cell's id."""
    return {cell.id: cell.source for cell in _made(chapter)[1].cells}


@cache
def _made(chapter: int) -> tuple[NotebookNode, NotebookNode]:
    return make_notebooks(lesson_of(chapter, PROJECT))
