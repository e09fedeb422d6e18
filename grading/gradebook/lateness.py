"""Late submissions: days late, free days used, and the points deducted for the rest."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from grading.errors import GradingError
from grading.storage.files import read_text

_COLUMNS = ("student", "due", "submitted")
_DAY = timedelta(days=1)


class Late(NamedTuple):
    """When one student handed in a chapter.

    Attributes:
        days: days after the deadline, each begun day counted as one.
        free: how many of them are covered by free days.
    """

    due: datetime
    submitted: datetime
    days: int
    free: int

    @property
    def charged(self) -> int:
        """The days that cost points."""
        return self.days - self.free


class _Row(NamedTuple):
    student: str
    chapter: int
    due: datetime
    submitted: datetime

    @property
    def days(self) -> int:
        return max(0, math.ceil((self.submitted - self.due) / _DAY))


@dataclass(frozen=True)
class Lateness:
    """The submission times of one chapter, and the penalty for late days.

    Attributes:
        late: the times, by student.
        percent: the percentage of the earned points deducted for each day that is not free.
    """

    late: dict[str, Late]
    percent: float

    @property
    def due(self) -> datetime | None:
        """The deadline of most students; another one is an extension."""
        dates = Counter(late.due for late in self.late.values())
        return dates.most_common(1)[0][0] if dates else None

    def penalty(self, student: str, earned: float) -> float:
        """The points deducted from a student, at most those earned."""
        late = self.late.get(student)
        return round(earned * min(1.0, late.charged * self.percent / 100), 2) if late else 0.0


def read_lateness(path: Path, chapter: int, *, free_days: int = 0, percent: float = 0.0) -> Lateness:
    """Read the times at which students handed in.

    Args:
        path: a CSV file with the columns `student`, `due` and `submitted`, in ISO 8601 (`2026-03-01T23:59+01:00`).
            With a column `chapter`, it may contain all chapters; those due first use up free days first.
        chapter: the chapter whose times to return.
        free_days: late days without penalty that each student has, in all chapters together.
        percent: the percentage of the earned points deducted for each further day.

    Raises:
        GradingError: the file cannot be read; the message names the line.
    """
    used: Counter[str] = Counter()
    late: dict[str, Late] = {}
    rows = sorted(_rows(path, chapter), key=lambda row: row.due)
    for row in rows:
        free = min(row.days, free_days - used[row.student])
        used[row.student] += free
        if row.chapter == chapter:
            if row.student in late:
                raise GradingError(f"{path} has two times for {row.student} in chapter {chapter}; leave only the last")
            late[row.student] = Late(row.due, row.submitted, row.days, free)
    if not late:
        raise GradingError(f"{path} has no time for chapter {chapter}")
    return Lateness(late, percent)


def _rows(path: Path, chapter: int) -> Iterable[_Row]:
    reader = csv.DictReader(read_text(path).removeprefix("\ufeff").splitlines())
    missing = [column for column in _COLUMNS if column not in (reader.fieldnames or ())]
    if missing:
        raise GradingError(f"{path} has no column {' and no '.join(missing)}; it needs {', '.join(_COLUMNS)}")
    zones = set()
    for row in reader:
        try:
            due, submitted = (datetime.fromisoformat(row[column].strip()) for column in ("due", "submitted"))
            number = int(row["chapter"]) if row.get("chapter") else chapter
        except (ValueError, AttributeError) as error:
            raise GradingError(
                f"{path}, line {reader.line_num}: {error}; write times as 2026-03-01T23:59+01:00"
            ) from error
        zones |= {due.tzinfo is None, submitted.tzinfo is None}
        if len(zones) > 1:
            raise GradingError(f"{path}, line {reader.line_num}: give either all times a time zone, or none")
        yield _Row(row["student"].strip(), number, due, submitted)


def in_utc(time: datetime) -> datetime:
    """The time as nbgrader stores it: in UTC, without a zone. A time without a zone counts as UTC."""
    return time.astimezone(UTC).replace(tzinfo=None) if time.tzinfo else time
