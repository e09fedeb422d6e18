"""The records of a class, however large: read from the disk one at a time, or kept as short outlines."""

from __future__ import annotations

import json
from array import array
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from grading.classroom.enrolment import Row
from grading.classroom.grader import SubmissionRecord, ungraded
from grading.errors import GradingError


class Records(Collection[SubmissionRecord]):
    """Records in a folder of results. Each pass over them reads them anew, so none is kept.

    Args:
        rows: the students, in the order in which they are wanted.
        chapter: its number.

    Raises:
        GradingError: at a file that cannot be read.
    """

    def __init__(self, rows: Sequence[Row], chapter: int) -> None:
        self._rows = rows
        self._chapter = chapter

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[SubmissionRecord]:
        return map(self._record, self._rows)

    def _record(self, row: Row) -> SubmissionRecord:
        if row.path is None:
            return ungraded(row.student, row.person, self._chapter, row.problem)
        return {**read_record(row.path), "student": row.student, "person": row.person}

    def __contains__(self, record: object) -> bool:
        return any(record == one for one in self)


def read_record(path: Path) -> SubmissionRecord:
    """The record in a file of results.

    Raises:
        GradingError: it cannot be read.
    """
    try:
        record: SubmissionRecord = json.loads(path.read_text(encoding="utf-8"))["record"]
        record["person"]["submission"]  # an older version of this project kept records without it
        return record
    except (OSError, ValueError, KeyError) as error:
        raise GradingError(f"cannot read {path} ({error}); delete it and grade again") from error


def outline(record: SubmissionRecord) -> SubmissionRecord:
    """A record without what takes most of its room: its checks and its pictures. Fingerprints are packed."""
    exercises = [{**exercise, "checks": [], "panels": []} for exercise in record["exercises"]]
    packed: dict[str, Any] = {name: array("I", prints) for name, prints in record["fingerprints"].items()}
    outlined: Any = {**record, "exercises": exercises, "fingerprints": packed}
    return outlined
