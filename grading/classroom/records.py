"""The records of a class of any size: read from the disk one at a time, or kept as short outlines."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from grading.classroom.enrolment import Row
from grading.classroom.overrides import Overrides, overridden
from grading.classroom.pseudonyms import pseudonym, without_name
from grading.classroom.submission_record import SubmissionRecord, ungraded
from grading.errors import GradingError


class Records(Collection[SubmissionRecord]):
    """Records in a folder of results. Each pass reads them again, so none stays in memory.

    Args:
        rows: the students, in the order to return them.
        chapter: the chapter's number.
        secret: replaces the students' names by pseudonyms; None leaves them as they are.
        overrides: points given by hand in a course.
        read: gives the record at a path; by default, it reads the file.

    Raises:
        GradingError: a file cannot be read.
    """

    def __init__(
        self,
        rows: Sequence[Row],
        chapter: int,
        secret: bytes | None = None,
        overrides: Overrides | None = None,
        read: Callable[[Path], SubmissionRecord] | None = None,
    ) -> None:
        self.rows = rows
        self._chapter = chapter
        self._secret = secret
        self._overrides = overrides or {}
        self._read = read or read_record

    @property
    def students(self) -> list[str]:
        """The students' real names, in the order of the records."""
        return [row.student for row in self.rows]

    def anonymous(self, secret: bytes) -> Records:
        """The same records under pseudonyms, in an order that does not depend on the names."""
        rows = sorted(self.rows, key=lambda row: pseudonym(secret, row.student))
        return Records(rows, self._chapter, secret, self._overrides, self._read)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[SubmissionRecord]:
        return map(self._record, self.rows)

    def _record(self, row: Row) -> SubmissionRecord:
        if row.path is None:
            record = ungraded(row.student, row.person, self._chapter, row.problem)
        else:
            record = {**self._read(row.path), "student": row.student, "person": row.person}
        if row.to_do:
            record["for_instructor"] = [*record.get("for_instructor", []), row.to_do]
        if self._overrides:
            record = overridden(record, row.id, self._overrides)
        return without_name(self._secret, record) if self._secret else record

    def __contains__(self, record: object) -> bool:
        return any(record == one for one in self)


def read_record(path: Path) -> SubmissionRecord:
    """The record in a file of results.

    Raises:
        GradingError: the file cannot be read.
    """
    try:
        record: SubmissionRecord = json.loads(path.read_text(encoding="utf-8"))["record"]
        record["person"], record["code"]  # older versions of this project kept records without them
        return record
    except (OSError, ValueError, KeyError) as error:
        raise GradingError(f"cannot read {path} ({error}); delete it and grade again") from error


def outline(record: SubmissionRecord) -> SubmissionRecord:
    """A record without its largest parts: checks, pictures and code. Fingerprints are packed."""
    exercises = [{**exercise, "checks": [], "panels": []} for exercise in record["exercises"]]
    packed: dict[str, Any] = {name: array("I", prints) for name, prints in record["fingerprints"].items()}
    outlined: Any = {**record, "exercises": exercises, "fingerprints": packed, "code": {}}
    return outlined
