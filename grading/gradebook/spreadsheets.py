"""Marks as CSV: a plain table, and the tables that Canvas and Moodle import. No cell can become a formula."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from grading.classroom.roster import CANVAS
from grading.classroom.submission_record import MISSING
from grading.feedback.card import format_points
from grading.gradebook.plain_text import as_html, feedback_text
from grading.gradebook.policy import Mark
from grading.judging.exercise import Chapter
from grading.storage.tables import table_text

_IDENTITY = ("id", "email", "section")  # where the roster has them


def plain_csv(chapter: Chapter, marks: Collection[Mark], anonymous: bool = False) -> str:
    """A table with a row for each student: total points, points by exercise, lateness if known, and any problem.

    Args:
        anonymous: leave out when each student handed in, because that tells who it is.
    """
    identity = [name for name in _IDENTITY if any(mark.record["person"][name] for mark in marks)]  # type: ignore[literal-required]
    timed = any(mark.late for mark in marks)
    dated = not anonymous and any(_submitted(mark) for mark in marks)
    rows = [
        {
            "student": mark.student,
            **{name: mark.record["person"][name] for name in identity},  # type: ignore[literal-required]
            **({"submitted": _submitted(mark)} if dated else {}),
            "points": float(mark.points),
            "out_of": float(mark.out_of),
            **{name: float(points) for name, points in mark.earned.items()},
            **({"late_days": mark.late.days, "free_days": mark.late.free} if mark.late else {}),
            **({"penalty": mark.penalty} if timed else {}),
            "problem": "; ".join(filter(None, [mark.record["problem"], *mark.record.get("for_instructor", [])])),
        }
        for mark in marks
    ]
    first = next(iter(marks), None)
    counted = [name for name in chapter.exercises if first is None or name in first.earned]
    late = ["late_days", "free_days", "penalty"] if timed else []
    return table_text(
        ["student", *identity, *(["submitted"] if dated else []), "points", "out_of", *counted, *late, "problem"], rows
    )


def _submitted(mark: Mark) -> str:
    """When it was handed in, as far as that is known: a time, or the word `late`."""
    if mark.submitted:
        return mark.submitted.isoformat()
    return "late" if mark.record["person"].get("late") else ""


def canvas_csv(chapter: Chapter, marks: Collection[Mark], column: str | None = None) -> str:
    """A gradebook for Canvas's "Import Grades": its five columns on students, and the chapter as an assignment.

    Canvas finds students by the id that it puts into the names of downloaded files, else by their login. If the roster
    is Canvas's gradebook, the columns on students have its cells. Without a submission, or with several that claim to
    be the student's, the assignment's cell is empty, and Canvas ignores it.

    Args:
        column: the heading of an existing assignment in Canvas's export, such as `Attention (4711)`; by default, Canvas
            makes a new assignment.
    """
    assignment = column or assignment_title(chapter)
    columns = ["Student", *CANVAS, "Section", assignment]
    out_of = next((format_points(mark.out_of) for mark in marks), "")
    rows: list[dict[str, Any]] = [{"Student": "    Points Possible", assignment: out_of}]
    for mark in marks:
        person = mark.record["person"]
        number = person["number"] if person["system"] == "canvas" else ""
        login = "" if person["system"] == "canvas" and not person["login"] else _username(mark)
        rows.append(
            {
                "Student": person["name"] or mark.student,
                **dict(zip(CANVAS, person.get("canvas") or (number, person["id"], login), strict=True)),
                "Section": person["section"],
                assignment: mark.cell,
            }
        )
    return table_text(columns, rows)


def moodle_csv(chapter: Chapter, marks: Collection[Mark]) -> str:
    """A table that Moodle imports: an assignment's grading worksheet, or a table for the grader report.

    Moodle stores feedback as HTML (`assignfeedback_comments::set_editor_text`), so students' text is escaped.

    If submissions have the names that Moodle gives them in "Download all submissions", they contain participant numbers
    and the result is a worksheet for "Upload grading worksheet". A student without a number gets a row that Moodle
    skips, and a missing submission gets no row. If nobody has a number, Moodle finds students by their username, in
    "Grades", "Import", "CSV file". Students whose submissions are not known to be theirs have no row in either table.
    """
    marks = [mark for mark in marks if mark.cell or mark.record["person"]["status"] == MISSING]
    if is_worksheet(marks):
        rows = [
            {
                "Identifier": _participant(mark),
                "Full name": mark.record["person"]["name"] or mark.student,
                "Grade": format_points(mark.points),
                "Maximum Grade": format_points(mark.out_of),
                "Last modified (grade)": "",
                "Feedback comments": as_html(feedback_text(mark)),
            }
            for mark in marks
            if not mark.is_missing
        ]
        return table_text(list(rows[0]), rows)
    title = assignment_title(chapter)
    columns = ["Username", title, f"{title} (Feedback)"]
    values = ([_username(mark), format_points(mark.points), as_html(feedback_text(mark))] for mark in marks)
    return table_text(columns, [dict(zip(columns, row, strict=True)) for row in values])


def is_worksheet(marks: Collection[Mark]) -> bool:
    """Whether Moodle's table of these marks is an assignment's grading worksheet."""
    return any(_participant(mark) for mark in marks if mark.cell)


def without_participant(marks: Collection[Mark]) -> list[str]:
    """The students whose row in Moodle's worksheet has no number; empty if the table is no worksheet."""
    return [mark.student for mark in marks if mark.cell and not _participant(mark)] if is_worksheet(marks) else []


def _participant(mark: Mark) -> str:
    person = mark.record["person"]
    return f"Participant {person['number']}" if person["system"] == "moodle" and person["number"] else ""


def _username(mark: Mark) -> str:
    return mark.record["person"]["login"] or mark.login


def assignment_title(chapter: Chapter) -> str:
    """The name of a chapter as an assignment of another system."""
    return f"Chapter {chapter.number}: {chapter.title}"
