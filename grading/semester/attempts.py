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
    """Add the submissions that are not in a course's file yet. The course must be locked.

    Raises:
        GradingError: the file cannot be read or written.
    """
    path = course / FILE
    rows = [cells for _, cells in read_table(path, _COLUMNS)] if path.exists() else []
    known = {(row["chapter"], row["submission"], row["sha256"]) for row in rows}
    counts = Counter((row["chapter"], row["submission"]) for row in rows)
    before = len(rows)
    for record in records:
        key = (str(number), handle(record["person"]))
        if (*key, record["submission_sha256"]) not in known:
            counts[key] += 1
            points = format_points(record["earned"])
            values = (*key, str(counts[key]), points, record["submission_sha256"])
            rows.append(dict(zip(_COLUMNS, values, strict=True)))
    if len(rows) > before:
        write_file(path, table_text(_COLUMNS, rows), mode=0o600)
