"""Each student's attempts at each chapter: the file attempts.csv, to which grading adds a line for each new one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from grading.classroom.people import handle
from grading.classroom.submission_record import SubmissionRecord
from grading.feedback.card import format_points
from grading.storage.files import write_file
from grading.storage.tables import read_table, table_text

FILE = "attempts.csv"
_COLUMNS = ("chapter", "submission", "attempt", "points", "sha256")


def keep_attempts(course: Path, number: int, records: Iterable[SubmissionRecord]) -> None:
    """Add the submissions that are not in a course's file yet, and the points of those that are graded again.

    The course must be locked.

    Raises:
        GradingError: the file cannot be read or written.
    """
    path = course / FILE
    rows = [cells for _, cells in read_table(path, _COLUMNS)] if path.exists() else []
    before = [{**row} for row in rows]
    known = {(row["chapter"], row["submission"], row["sha256"]): row for row in rows}
    counts = Counter((row["chapter"], row["submission"]) for row in rows)
    for record in records:
        key = (str(number), handle(record["person"]))
        points = format_points(record["earned"])
        if row := known.get((*key, record["submission_sha256"])):
            row["points"] = points
        else:
            counts[key] += 1
            values = (*key, str(counts[key]), points, record["submission_sha256"])
            rows.append(dict(zip(_COLUMNS, values, strict=True)))
    if rows != before:
        write_file(path, table_text(_COLUMNS, rows), mode=0o600)
