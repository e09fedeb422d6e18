"""Writes a course folder in nbgrader's layout, so that formgrader finds the notebooks that belong to its marks."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import deepcopy
from datetime import datetime
from pathlib import Path
from typing import Any

from nbformat import NO_CONVERT, NotebookNode, reads, v4

from grading.classroom.reading import Readers
from grading.classroom.reasons import Reason
from grading.classroom.submission_record import translator_of
from grading.errors import GradingError
from grading.feedback.card import Card
from grading.gradebook.lateness import in_utc
from grading.gradebook.policy import Mark
from grading.judging.exercise import Chapter
from grading.lessons.notebook import make_nbgrader_source, make_notebooks, notebook_text
from grading.release.library import lesson_of
from grading.storage.files import read_text, write_file
from grading.storage.project import PROJECT
from grading.submission import DamagedSubmission, SubmissionFile, find_submissions
from grading.submission.cell_ids import check_cell_id, exercise_cell_id
from grading.submission.systems import PLAIN

_TIME, _RECEIPT = "timestamp.txt", "submission_secret.txt"  # nbgrader's own
_SETTINGS = "nbgrader_config.py"
_NOTED = "reasons_for_a_look"
_OURS = "definitions_of_a_submission"  # marks, in the metadata, a notebook that this module wrote


def released_notebook(chapter: Chapter) -> NotebookNode:
    """The chapter's notebook as students got it."""
    return make_notebooks(lesson_of(chapter.number, PROJECT))[0]


def write_course(
    course: Path,
    chapter: Chapter,
    notebook: NotebookNode,
    marks: Collection[Mark],
    submissions: Path | None,
    reasons: Mapping[str, Sequence[Reason]] | None = None,
    only: str | None = None,
) -> None:
    """Write each student's submission and feedback and, once, the files that nbgrader needs from an instructor.

    These are nbgrader's settings, and the notebook from which `nbgrader generate_assignment` makes the released one.

    Args:
        course: nbgrader's course folder.
        notebook: the released notebook.
        submissions: the submissions; None leaves the exercises as the folder shows them, else as they were released.
        reasons: why a student's submission needs a look. They are noted, so that `is_news` recognises them.
        only: the only exercise to write; the others stay as the folder shows them.

    Raises:
        GradingError: something cannot be read or written, or a student's name is not a valid folder name.
    """
    source = course / "source" / chapter.slug / f"{chapter.slug}.ipynb"
    if not source.exists():
        write_file(source, notebook_text(make_nbgrader_source(lesson_of(chapter.number, PROJECT))))
    if not (course / _SETTINGS).exists():
        write_file(course / _SETTINGS, read_text(Path(__file__).parent / "templates" / _SETTINGS))
    with Readers() as readers:
        _write_students(course, chapter, notebook, marks, submissions, reasons or {}, only, readers)


def _write_students(
    course: Path,
    chapter: Chapter,
    notebook: NotebookNode,
    marks: Collection[Mark],
    submissions: Path | None,
    reasons: Mapping[str, Sequence[Reason]],
    only: str | None,
    readers: Readers,
) -> None:
    files = _files_by_student(submissions, marks) if submissions else {}
    for mark in marks:
        person = mark.record["person"]
        if mark.is_missing:
            continue
        file = files.get(person["submission"])
        submitted = _with_solutions(notebook, _solutions(file, chapter, readers)) if file else notebook
        _write_submitted(_submitted(course, chapter, mark.login), mark, submitted if file else None, chapter)
        graded = _with_cards(submitted, mark)
        graded.metadata[_NOTED] = _noted(reasons.get(mark.student, ()))
        to = _autograded(course, chapter, mark.login)
        others = [name for name in chapter.exercises if only not in (None, name)]
        codes = [exercise_cell_id(name) for name in (others if file else chapter.exercises)]
        _keep(graded, to, [*codes, *map(check_cell_id, others)])
        write_file(to, notebook_text(graded))
        for name in (_TIME, _RECEIPT):  # without them, nbgrader releases no feedback
            noted = _submitted(course, chapter, mark.login) / name
            if noted.is_file() and not noted.is_symlink():
                write_file(to.with_name(name), read_text(noted))


def _files_by_student(submissions: Path, marks: Iterable[Mark]) -> dict[str, SubmissionFile]:
    """The submissions, read as those of the students' first system from which they can come."""
    people = (mark.record["person"] for mark in marks)
    systems = dict.fromkeys(person["system"] or PLAIN for person in people if person["submission"])
    for number, system in enumerate(systems, 1):
        try:
            return {file.student: file for file in find_submissions(submissions, system)}
        except GradingError:
            if number == len(systems):
                raise
    return {}


def is_news(course: Path, chapter: Chapter, student: str, reasons: Sequence[Reason]) -> bool:
    """Whether a submission needs a look for other reasons than last time, when a person may have looked.

    Raises:
        GradingError: the student's name is not a valid folder name.
    """
    return _metadata(_autograded(course, chapter, student)).get(_NOTED, "") != _noted(reasons)


def _noted(reasons: Sequence[Reason]) -> str:
    """The hash under which reasons are noted, because students may see the notebook and should not read them there."""
    return hashlib.sha256(repr([tuple(reason) for reason in reasons]).encode()).hexdigest() if reasons else ""


def handed_in(course: Path, chapter: Chapter, mark: Mark) -> datetime | None:
    """The time at which a student handed in: in UTC, without a time zone.

    It is nbgrader's if nbgrader collected the submission, and else the mark's. `write_course` leaves the same time in
    `submitted/`, because formgrader considers marks with another time out of date.

    Raises:
        GradingError: nbgrader's record is not a time, or the student's name is not a valid folder name.
    """
    from nbgrader.utils import parse_utc

    folder = _submitted(course, chapter, mark.login)
    if mark.submitted and not _is_collected(folder, chapter):
        return in_utc(mark.submitted)
    path = folder / _TIME
    if not path.exists():
        return None
    try:
        return parse_utc(read_text(path).strip())
    except ValueError as error:
        raise GradingError(f"{path} does not contain a time ({error}); repair it, or delete it") from error


def _submitted(course: Path, chapter: Chapter, student: str) -> Path:
    return course / "submitted" / _folder(student) / chapter.slug


def _autograded(course: Path, chapter: Chapter, student: str) -> Path:
    return course / "autograded" / _folder(student) / chapter.slug / f"{chapter.slug}.ipynb"


def _folder(student: str) -> str:
    if student in {".", ".."} or "/" in student:
        raise GradingError(
            f"{student!r} is not a valid folder name, and nbgrader keeps a folder for each student; rename the"
            " submission, or change the id in the roster, which `grade --roster` reads again"
        )
    return student


def _write_submitted(folder: Path, mark: Mark, notebook: NotebookNode | None, chapter: Chapter) -> None:
    """Write the folder by which formgrader counts submissions. Files that nbgrader collected stay as they are."""
    folder.mkdir(parents=True, exist_ok=True)
    if _is_collected(folder, chapter):
        return
    if notebook:
        write_file(folder / f"{chapter.slug}.ipynb", notebook_text(notebook))
    if mark.submitted:
        write_file(folder / _TIME, in_utc(mark.submitted).isoformat(" ") + " UTC\n")


def _is_collected(folder: Path, chapter: Chapter) -> bool:
    """Whether a folder in `submitted/` has files that this module did not write."""
    path = folder / f"{chapter.slug}.ipynb"
    others = {found.name for found in folder.iterdir()} - {_TIME, path.name} if folder.exists() else set()
    return bool(others) or (path.exists() and _OURS not in _metadata(path))


def _metadata(path: Path) -> dict[str, Any]:
    """A notebook's metadata; empty if the file is missing or not a notebook."""
    try:
        found = json.loads(read_text(path))["metadata"]
        return dict(found)
    except (GradingError, ValueError, LookupError, TypeError, RecursionError):
        return {}


def _keep(notebook: NotebookNode, path: Path, cell_ids: Collection[str]) -> None:
    """Give cells the content that they have in a file; without such a file, all stay as they are."""
    try:
        kept = {cell.get("id"): cell for cell in reads(read_text(path), as_version=NO_CONVERT).cells}
    except (GradingError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return
    for place, cell in enumerate(notebook.cells):
        if cell.id in cell_ids and cell.id in kept:
            notebook.cells[place] = kept[cell.id]


def _with_solutions(notebook: NotebookNode, solutions: dict[str, str]) -> NotebookNode:
    """The released notebook with the student's definitions, and nothing else of the submission: no outputs or texts."""
    submitted = deepcopy(notebook)
    submitted.metadata[_OURS] = True
    for cell in submitted.cells:
        cell.source = solutions.get(cell.id, cell.source)
    return submitted


def _with_cards(notebook: NotebookNode, mark: Mark) -> NotebookNode:
    """A notebook with the card of each exercise below its check."""
    said = translator_of(mark.record)
    cards = {check_cell_id(exercise["name"]): Card(exercise, translator=said) for exercise in mark.record["exercises"]}
    graded = deepcopy(notebook)
    for cell in graded.cells:
        if cell.id in cards:
            card = cards[cell.id]
            shown = {"text/plain": card.text(), "text/html": card.html()}
            cell.outputs = [v4.new_output("display_data", data=shown)]
    return graded


def _solutions(file: SubmissionFile, chapter: Chapter, readers: Readers) -> dict[str, str]:
    """The student's definitions by the ids of the exercises' cells; empty if the submission cannot be read."""
    notebook = readers.read(file, chapter.number).notebook
    if notebook is None:
        return {}
    try:
        exercises = readers.cut(notebook, chapter.number).extraction.exercises
    except DamagedSubmission:
        return {}
    return {exercise_cell_id(name): found.source for name, found in exercises.items() if found.source}
