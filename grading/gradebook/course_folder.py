"""A course folder as nbgrader lays it out, so that formgrader finds the notebooks that belong to its marks."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path

from nbformat import NotebookNode, v4

from grading.choosing import choose
from grading.definitions import extract
from grading.errors import GradingError
from grading.exercise import Chapter
from grading.files import write_whole
from grading.gradebook.policy import Mark
from grading.lessons.answers import PROJECT
from grading.lessons.notebook import check_cell_id, exercise_cell_id, make_notebooks, notebook_text
from grading.release.library import lesson_of
from grading.report.card import Card
from grading.submission import DamagedSubmission, SubmissionFile, find_submissions, read_notebooks


def released_notebook(chapter: Chapter) -> NotebookNode:
    """The chapter's notebook as students got it."""
    return make_notebooks(lesson_of(chapter.number, PROJECT))[0]


def write_course(
    course: Path, chapter: Chapter, notebook: NotebookNode, marks: Sequence[Mark], submissions: Path | None
) -> None:
    """Writes the assignment's own notebook, where the course has none yet, and each student's graded one.

    Args:
        course: the folder in which nbgrader works.
        notebook: as it was released.
        submissions: what was handed in; None leaves the exercises as they were released.

    Raises:
        GradingError: something cannot be read or written, or a student's name is no name of a folder.
    """
    source = course / "source" / chapter.slug / f"{chapter.slug}.ipynb"
    if not source.exists():
        write_whole(source, notebook_text(notebook))
    files = {file.student: file for file in find_submissions(submissions)} if submissions else {}
    for mark in marks:
        if mark.student in {".", ".."} or "/" in mark.student:
            raise GradingError(f"{mark.student!r} cannot be the name of a folder; rename the submission")
        file = files.get(mark.student)
        graded = _graded(notebook, mark, _solutions(file, chapter) if file else {})
        path = course / "autograded" / mark.student / chapter.slug / f"{chapter.slug}.ipynb"
        write_whole(path, notebook_text(graded))


def _graded(notebook: NotebookNode, mark: Mark, solutions: dict[str, str]) -> NotebookNode:
    """The released notebook with the student's definitions and our cards.

    Nothing else of the submission gets in: no output, no text and no other cell of the student's.
    """
    cards = {check_cell_id(exercise["name"]): Card(exercise) for exercise in mark.record["exercises"]}
    graded = deepcopy(notebook)
    for cell in graded.cells:
        if cell.id in solutions:
            cell.source = solutions[cell.id]
        if cell.id in cards:
            card = cards[cell.id]
            shown = {"text/plain": card.text(), "text/html": card.html()}
            cell.outputs = [v4.new_output("display_data", data=shown)]
    return graded


def _solutions(file: SubmissionFile, chapter: Chapter) -> dict[str, str]:
    """What the student wrote, by the exercise's cell; nothing where it cannot be read."""
    try:
        notebook = choose(read_notebooks(file), chapter.number)
    except DamagedSubmission:
        return {}
    extraction = extract(notebook, {name: exercise_cell_id(name) for name in chapter.exercises})
    return {exercise_cell_id(name): found.source for name, found in extraction.exercises.items() if found.source}
