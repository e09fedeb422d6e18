"""A course folder as nbgrader lays it out, so that formgrader finds the notebooks that belong to its marks."""

from __future__ import annotations

import json
from collections.abc import Iterable
from copy import deepcopy
from datetime import datetime
from pathlib import Path

from nbformat import NotebookNode, v4

from grading.classroom.grader import read_submission
from grading.definitions import extract
from grading.errors import GradingError
from grading.feedback.card import Card
from grading.gradebook.lateness import in_utc
from grading.gradebook.policy import Mark
from grading.judging.exercise import Chapter
from grading.lessons.notebook import make_notebooks, notebook_text
from grading.release.library import lesson_of
from grading.storage.files import read_text, write_file
from grading.storage.project import PROJECT
from grading.submission import SubmissionFile, find_submissions
from grading.submission.cell_ids import check_cell_id, exercise_cell_id
from grading.submission.systems import PLAIN

_TIME = "timestamp.txt"  # nbgrader's own
_OURS = "definitions_of_a_submission"  # in the metadata of a notebook that is written here, and not collected


def released_notebook(chapter: Chapter) -> NotebookNode:
    """The chapter's notebook as students got it."""
    return make_notebooks(lesson_of(chapter.number, PROJECT))[0]


def write_course(
    course: Path, chapter: Chapter, notebook: NotebookNode, marks: Iterable[Mark], submissions: Path | None
) -> None:
    """Writes the assignment's own notebook, where the course has none yet, and what each student handed in and got.

    Args:
        course: the folder in which nbgrader works.
        notebook: as it was released.
        submissions: what was handed in; None leaves the exercises as they were released.

    Raises:
        GradingError: something cannot be read or written, or a student's name is no name of a folder.
    """
    source = course / "source" / chapter.slug / f"{chapter.slug}.ipynb"
    if not source.exists():
        write_file(source, notebook_text(notebook))
    files: dict[str, SubmissionFile] | None = None
    for mark in marks:
        person = mark.record["person"]
        if mark.is_missing:
            continue
        if files is None:  # as the first was found when it was graded, so are all
            found = find_submissions(submissions, person["system"] or PLAIN) if submissions else []
            files = {file.student: file for file in found}
        file = files.get(person["submission"])
        submitted = _with_solutions(notebook, _solutions(file, chapter)) if file else notebook
        _write_submitted(_submitted(course, chapter, mark.login), mark, submitted if file else None, chapter)
        path = course / "autograded" / mark.login / chapter.slug / f"{chapter.slug}.ipynb"
        write_file(path, notebook_text(_with_cards(submitted, mark)))


def handed_in(course: Path, chapter: Chapter, student: str) -> datetime | None:
    """When a student handed in, as nbgrader wrote it down while it collected; in UTC, without saying so.

    Raises:
        GradingError: what stands there is no time, or the student's name is no name of a folder.
    """
    from nbgrader.utils import parse_utc

    path = _submitted(course, chapter, student) / _TIME
    if not path.exists():
        return None
    try:
        return parse_utc(read_text(path).strip())
    except ValueError as error:
        raise GradingError(f"{path} holds no time ({error}); mend it, or delete it") from error


def _submitted(course: Path, chapter: Chapter, student: str) -> Path:
    if student in {".", ".."} or "/" in student:
        raise GradingError(f"{student!r} cannot be the name of a folder; rename the submission")
    return course / "submitted" / student / chapter.slug


def _write_submitted(folder: Path, mark: Mark, notebook: NotebookNode | None, chapter: Chapter) -> None:
    """The folder by which formgrader counts who handed in. What has been collected into it stays as it is."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{chapter.slug}.ipynb"
    others = {found.name for found in folder.iterdir()} - {_TIME, path.name}
    if notebook and not others and (not path.exists() or _is_ours(path)):
        write_file(path, notebook_text(notebook))
    if mark.late:  # formgrader takes marks for out of date whose time is another one
        write_file(folder / _TIME, in_utc(mark.late.submitted).isoformat(" ") + " UTC\n")


def _is_ours(path: Path) -> bool:
    try:
        found = json.loads(read_text(path))
        return _OURS in found["metadata"]
    except (GradingError, ValueError, LookupError, TypeError, RecursionError):
        return False  # whatever it is, a student handed it in


def _with_solutions(notebook: NotebookNode, solutions: dict[str, str]) -> NotebookNode:
    """The released notebook with the student's definitions.

    Nothing else of the submission gets in: no output, no text and no other cell of the student's.
    """
    submitted = deepcopy(notebook)
    submitted.metadata[_OURS] = True
    for cell in submitted.cells:
        cell.source = solutions.get(cell.id, cell.source)
    return submitted


def _with_cards(notebook: NotebookNode, mark: Mark) -> NotebookNode:
    """A notebook with the card of each exercise below its check."""
    cards = {check_cell_id(exercise["name"]): Card(exercise) for exercise in mark.record["exercises"]}
    graded = deepcopy(notebook)
    for cell in graded.cells:
        if cell.id in cards:
            card = cards[cell.id]
            shown = {"text/plain": card.text(), "text/html": card.html()}
            cell.outputs = [v4.new_output("display_data", data=shown)]
    return graded


def _solutions(file: SubmissionFile, chapter: Chapter) -> dict[str, str]:
    """What the student wrote, by the exercise's cell; nothing where it cannot be read."""
    notebook = read_submission(file, chapter.number).notebook
    if notebook is None:
        return {}
    extraction = extract(notebook, {name: exercise_cell_id(name) for name in chapter.exercises})
    return {exercise_cell_id(name): found.source for name, found in extraction.exercises.items() if found.source}
