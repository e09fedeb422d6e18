"""Marks as CSV: a plain table, and what Canvas and Moodle import. No cell becomes a spreadsheet's formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection
from typing import Any

from grading.feedback.card import format_points
from grading.gradebook.plain_text import feedback_text
from grading.gradebook.policy import Mark
from grading.judging.exercise import Chapter

# A spreadsheet takes a cell that begins so for a formula; a student's name must not become one.
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
# Submissions that were downloaded together from Canvas and from Moodle are named so.
_FROM_CANVAS = re.compile(r"^(?P<name>.+?)(_LATE)?_(?P<id>\d+)_\d+_.+$", re.DOTALL)
_FROM_MOODLE = re.compile(r"^(?P<name>.+)_(?P<id>\d+)_assignsubmission_file\w*$", re.DOTALL)


def plain_csv(chapter: Chapter, marks: Collection[Mark]) -> str:
    """A row for each student: points in all and in each exercise, lateness where it is known, and what went wrong."""
    timed = any(mark.late for mark in marks)
    rows = [
        {
            "student": mark.student,
            "points": float(mark.points),
            "out_of": float(mark.out_of),
            **{name: float(points) for name, points in mark.earned.items()},
            **({"late_days": mark.late.days, "free_days": mark.late.free} if mark.late else {}),
            **({"penalty": mark.penalty} if timed else {}),
            "problem": mark.record["problem"],
        }
        for mark in marks
    ]
    one = next(iter(marks), None)
    counted = [name for name in chapter.exercises if one is None or name in one.earned]
    late = ["late_days", "free_days", "penalty"] if timed else []
    return _csv(rows, ["student", "points", "out_of", *counted, *late, "problem"])


def canvas_csv(chapter: Chapter, marks: Collection[Mark]) -> str:
    """A gradebook for Canvas's "Import Grades": its five columns on students, and the chapter as an assignment.

    Students are found by the id that Canvas puts into the names of the files that it bundles for download, else by
    their login.
    """
    assignment = _title(chapter)
    columns = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", assignment]
    out_of = next((format_points(mark.out_of) for mark in marks), "")
    rows: list[dict[str, Any]] = [{"Student": "    Points Possible", assignment: out_of}]
    for mark in marks:
        found = _FROM_CANVAS.match(mark.student)
        known = (
            {"Student": found["name"], "ID": found["id"]}
            if found
            else {"Student": mark.student, "SIS Login ID": mark.student}
        )
        rows.append({**known, assignment: format_points(mark.points)})
    return _csv(rows, columns)


def moodle_csv(chapter: Chapter, marks: Collection[Mark]) -> str:
    """What Moodle imports: the grading worksheet of an assignment, or a table for its grader report.

    Where the submissions carry the names that Moodle gives them in "Download all submissions", each student's
    participant number is known, and the worksheet ("Upload grading worksheet") goes back to where they came from.
    Else students are found by their username, in "Grades", "Import", "CSV file".
    """
    participants = [_FROM_MOODLE.match(mark.student) for mark in marks]
    if participants and all(participants):
        rows = [
            {
                "Identifier": f"Participant {found['id']}",
                "Full name": found["name"],
                "Grade": format_points(mark.points),
                "Maximum Grade": format_points(mark.out_of),
                "Last modified (grade)": "",
                "Feedback comments": feedback_text(mark),
            }
            for mark, found in zip(marks, participants, strict=True)
            if found
        ]
        return _csv(rows, list(rows[0]))
    title = _title(chapter)
    columns = ["Username", title, f"{title} (Feedback)"]
    values = ([mark.student, format_points(mark.points), feedback_text(mark)] for mark in marks)
    return _csv([dict(zip(columns, row, strict=True)) for row in values], columns)


def _title(chapter: Chapter) -> str:
    return f"Chapter {chapter.number}: {chapter.title}"


def _csv(rows: list[dict[str, Any]], columns: list[str]) -> str:
    text = io.StringIO()
    table = csv.DictWriter(text, columns, lineterminator="\n")
    table.writeheader()
    table.writerows({column: _harmless(value) for column, value in row.items()} for row in rows)
    return text.getvalue()


def _harmless(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = value.replace("\r", " ")  # some readers end a row at it
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text
