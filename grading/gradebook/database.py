"""Writes marks to nbgrader's gradebook through its own `Gradebook`, and never overwrites what people wrote there."""

from __future__ import annotations

import os
import sysconfig
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from nbformat import NotebookNode

from course.errors import how_to_install
from grading.classroom.submission_record import problem_in, translator_of
from grading.errors import GradingError
from grading.gradebook.lateness import in_utc
from grading.gradebook.plain_text import exercise_text, late_text
from grading.gradebook.policy import Mark, Policy
from grading.judging.exercise import Chapter
from grading.submission.cell_ids import check_cell_id, exercise_cell_id

_LONGEST_NAME = 128  # nbgrader's own column


class NbgraderDatabase:
    """A gradebook with a chapter's assignment. Use `open_database`.

    Args:
        gradebook: nbgrader's `Gradebook`.
        chapter: the chapter of the marks.
        notebook: the released notebook.
        policy: what counts.
        only: the only exercise to write; the others stay as they are.
    """

    def __init__(
        self, gradebook: Any, chapter: Chapter, notebook: NotebookNode, policy: Policy, only: str | None = None
    ) -> None:
        self._gradebook = gradebook
        self._chapter = chapter
        self._policy = policy
        self._only = only
        self._name = chapter.slug  # of the assignment, and of the one notebook in it
        self._write_assignment(notebook)
        stored = gradebook.find_notebook(self._name, self._name)
        self._cells = {cell.name: cell.id for cell in (*stored.grade_cells, *stored.solution_cells)}

    def _write_assignment(self, notebook: NotebookNode) -> None:
        """Write the assignment in nbgrader's terms: its cells, their points and the deadline."""
        from nbgrader.utils import compute_checksum

        gradebook, name = self._gradebook, self._name
        due = self._policy.lateness.due if self._policy.lateness else None
        gradebook.update_or_create_assignment(name, **({"duedate": in_utc(due)} if due else {}))
        stored = gradebook.update_or_create_notebook(name, name)
        kept = {cell.name for cell in stored.grade_cells} if self._only else set()
        for cell in notebook.cells:
            about = cell.metadata.get("nbgrader")
            if about:
                gradebook.update_or_create_source_cell(
                    about["grade_id"],
                    name,
                    name,
                    cell_type=cell.cell_type,
                    source=cell.source,
                    locked=about["locked"],
                    checksum=compute_checksum(cell),
                )
        for exercise in self._chapter.exercises:
            cell_id = check_cell_id(exercise)
            if exercise == self._only or cell_id not in kept:
                points = self._policy.possible(self._chapter, exercise)
                gradebook.update_or_create_grade_cell(cell_id, name, name, max_score=points, cell_type="code")
            gradebook.update_or_create_solution_cell(exercise_cell_id(exercise), name, name)

    def write_mark(
        self,
        mark: Mark,
        handed_in: datetime | None = None,
        look_at: Collection[str] | None = None,
    ) -> None:
        """Write a student's mark.

        Points that a person gave stay; if the grader's points have changed since, the cell is marked for a person's
        look. A person's comment and extra credit always stay. For a new student, all exercises are written.

        Args:
            handed_in: the time to show, in UTC; see `handed_in` of the course folder.
            look_at: the exercises that need a person's look; None leaves these marks unchanged.

        Raises:
            GradingError: the student's name is too long for nbgrader.
        """
        login = mark.login
        if len(login) > _LONGEST_NAME:
            raise GradingError(f"{login[:40]}...: nbgrader takes names of at most {_LONGEST_NAME} characters")
        self._gradebook.update_or_create_student(login, **_names(mark))
        if mark.is_missing:  # nbgrader shows a missing submission as a student without one
            return
        with self._gradebook.db.no_autoflush:  # nbgrader's new objects must not be flushed half made
            submission = self._gradebook.update_or_create_submission(self._name, login)
        notebook = self._gradebook.find_submission_notebook(self._name, self._name, login)
        self._complete(notebook)
        grades = {grade.cell_id: grade for grade in notebook.grades}
        comments = {comment.cell_id: comment for comment in notebook.comments}
        texts = _comments(mark)
        is_new = all(grade.auto_score is None for grade in notebook.grades)
        for name in [self._only] if self._only and not is_new else self._chapter.exercises:
            grade = grades[self._cells[check_cell_id(name)]]
            earned = mark.earned.get(name, 0.0)
            is_first, changed = grade.auto_score is None, grade.auto_score != earned
            grade.auto_score = earned
            if grade.manual_score is not None and changed:
                grade.needs_manual_grade = True
            elif is_first:
                grade.needs_manual_grade = False
            comments[self._cells[exercise_cell_id(name)]].auto_comment = texts[name]
        if look_at is not None:
            self._ask_for_a_look(notebook, look_at)
        if handed_in:
            submission.timestamp = handed_in
        self._gradebook.db.commit()
        if self._policy.lateness:
            due = self._policy.lateness.due
            submission.extension = mark.late.due - (due or mark.late.due) if mark.late else None
            # The penalty applies to nbgrader's current score, which includes the points that people gave.
            notebook.late_submission_penalty = self._policy.lateness.penalty(mark.late, notebook.score)
            self._gradebook.db.commit()

    def submitters(self) -> set[str]:
        """The students who have a submission in the gradebook."""
        return {submission.student.id for submission in self._gradebook.assignment_submissions(self._name)}

    def _ask_for_a_look(self, notebook: Any, exercises: Collection[str]) -> None:
        """Mark exercises for a person's look. Cells graded by hand keep their marks, and only people remove a flag."""
        grades = {grade.cell_id: grade for grade in notebook.grades}
        for name in self._chapter.exercises:
            grade = grades[self._cells[check_cell_id(name)]]
            if name in exercises or grade.manual_score is None:
                grade.needs_manual_grade = name in exercises
        notebook.flagged = bool(exercises) or notebook.flagged

    def _complete(self, notebook: Any) -> None:
        """Add the cells of exercises that are newer than the submission."""
        from nbgrader.api import Comment, Grade

        graded = {grade.cell_id for grade in notebook.grades}
        commented = {comment.cell_id for comment in notebook.comments}
        for exercise in self._chapter.exercises:
            grade_cell = self._cells[check_cell_id(exercise)]
            solution_cell = self._cells[exercise_cell_id(exercise)]
            if grade_cell not in graded:
                notebook.grades.append(Grade(cell_id=grade_cell))
            if solution_cell not in commented:
                notebook.comments.append(Comment(cell_id=solution_cell))


@contextmanager
def open_database(
    address: str, chapter: Chapter, notebook: NotebookNode, policy: Policy, only: str | None = None
) -> Iterator[NbgraderDatabase]:
    """Open nbgrader's gradebook, which is made if there is none, and write the chapter's assignment to it.

    Args:
        address: SQLAlchemy's URL of the database: `sqlite:///gradebook.db`, `postgresql+psycopg://user@host/name`.
        chapter: the chapter of the marks.
        notebook: the released notebook.
        policy: what counts.
        only: the only exercise to write; the others stay as they are.

    Raises:
        GradingError: nbgrader is not installed, or the database cannot be opened, read or written.
    """
    try:
        from nbgrader.api import Gradebook, InvalidEntry
        from sqlalchemy.engine import make_url
        from sqlalchemy.exc import SQLAlchemyError
    except ImportError as error:
        raise GradingError(
            f"nbgrader's gradebook needs packages that are not installed ({error}). {how_to_install('gradebook')}"
        ) from error
    try:
        shown = make_url(address).render_as_string(hide_password=True)
    except SQLAlchemyError as error:
        raise GradingError(f"{address!r} is not a database address; give one such as sqlite:///gradebook.db") from error
    try:
        with _own_commands():
            gradebook = Gradebook(address)
    except (SQLAlchemyError, ImportError, OSError) as error:
        raise GradingError(f"cannot open {shown}: {_first_line(error)}") from error
    try:
        yield NbgraderDatabase(gradebook, chapter, notebook, policy, only)
    except (SQLAlchemyError, InvalidEntry) as error:
        gradebook.db.rollback()
        raise GradingError(f"cannot write {shown}: {_first_line(error)}") from error
    finally:
        gradebook.close()
        gradebook.engine.dispose()


@contextmanager
def _own_commands() -> Iterator[None]:
    """Put this Python's scripts on the PATH, so that nbgrader finds `alembic`, which it runs to make a database."""
    before = os.environ.get("PATH", "")
    os.environ["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), before])
    try:
        yield
    finally:
        os.environ["PATH"] = before


def _names(mark: Mark) -> dict[str, str]:
    """The known names and e-mail of a student. Unknown fields are absent, so that nbgrader keeps its own."""
    person = mark.record["person"]
    last, comma, first = person["name"].partition(",")
    if not comma:
        first, _, last = person["name"].rpartition(" ")
    names = {"first_name": first.strip(), "last_name": last.strip(), "email": person["email"]}
    return {key: name for key, name in names.items() if name}


def _comments(mark: Mark) -> dict[str, str]:
    """A comment for each exercise. `<` is escaped, because nbgrader shows comments as Markdown, which may hold HTML."""
    record, said = mark.record, translator_of(mark.record)
    late = said(late_text(mark))
    problem = problem_in(record, said)
    ungraded = said.say("Your submission could not be graded: {problem}.", problem=problem) if problem else ""
    texts = {}
    for exercise in record["exercises"]:
        counts = "" if exercise["name"] in mark.earned else said.say("This exercise does not count.")
        parts = [ungraded or exercise_text(exercise, said), counts, late]
        texts[exercise["name"]] = "\n".join(filter(None, parts)).replace("<", "\\<")
    return texts


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)
