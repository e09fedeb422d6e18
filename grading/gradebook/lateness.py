"""Late submissions: days late, free days used, and the points deducted for the rest."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from grading.errors import GradingError
from grading.storage.tables import read_table

_COLUMNS = ("student", "due", "submitted")
_DAY = timedelta(days=1)
_HOW_TO_WRITE = "write times as 2026-03-01T23:59+01:00"


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
    submitted: datetime | None  # None: the row only moves the deadline


@dataclass(frozen=True)
class Lateness:
    """The deadline and submission times of one chapter, and the penalty for late days.

    Attributes:
        late: the times in the instructor's file, by student.
        percent: the percentage of the earned points deducted for each day that is not free.
        deadline: the deadline of all students for whom the file has none; None if it has one for everybody.
        extensions: the deadlines in the file of students for whom the download gives the time, by student.
        free_days: late days without penalty that each student has in the chapters of the file together.
        used: how many of them each student has used in other chapters that were due before the student's own deadline.
    """

    late: dict[str, Late]
    percent: float
    deadline: datetime | None = None
    extensions: Mapping[str, datetime] = field(default_factory=dict)
    free_days: int = 0
    used: Mapping[str, int] = field(default_factory=dict)

    @property
    def due(self) -> datetime | None:
        """The deadline, else that of most students; another one is an extension."""
        dates = Counter(late.due for late in self.late.values())
        return self.deadline or (dates.most_common(1)[0][0] if dates else None)

    @property
    def students(self) -> set[str]:
        """The students whom the file names."""
        return {*self.late, *self.extensions}

    def of(self, names: Iterable[str], submitted: str) -> Late | None:
        """When a student handed in; None if that is unknown.

        Args:
            names: under which the file may list the student.
            submitted: the time in the download, or "". A time in the file counts instead of it.

        Raises:
            GradingError: the file lists the student twice, or only one of two times has a zone.
        """
        names = dict.fromkeys(names)
        listed = [name for name in names if name in self.students]
        if len(listed) > 1:
            raise GradingError(f"the file of times lists one student as {' and as '.join(listed)}; leave one")
        name = listed[0] if listed else ""
        due = self.extensions.get(name, self.deadline)
        if name in self.late or not (due and submitted):
            return self.late.get(name)
        time = read_time(submitted)
        if due.tzinfo is None and time.tzinfo:
            raise GradingError(
                f"the download's times have a zone, so write the deadline with one: {due.isoformat()}+01:00"
            )
        time = time if time.tzinfo else time.replace(tzinfo=due.tzinfo)
        days = days_late(due, time)
        used = max((self.used.get(one, 0) for one in names), default=0)
        return Late(due, time, days, min(days, max(0, self.free_days - used)))

    def penalty(self, late: Late | None, earned: float) -> float:
        """The points deducted from what a student earned, at most all of it."""
        return round(earned * min(1.0, late.charged * self.percent / 100), 2) if late else 0.0


def read_lateness(
    path: Path | None, chapter: int, *, free_days: int = 0, percent: float = 0.0, deadline: datetime | None = None
) -> Lateness:
    """Read the times at which students handed in.

    Args:
        path: a CSV file with the columns `student`, `due` and `submitted`, in ISO 8601 (`2026-03-01T23:59+01:00`).
            With a column `chapter`, it may contain all chapters; those due first use up free days first. If `submitted`
            is empty, the time in the download counts. None if the download's times suffice.
        chapter: the chapter whose times to return.
        free_days: late days without penalty that each student has in the chapters of the file together.
        percent: the percentage of the earned points deducted for each further day.
        deadline: of the students whom the file does not list.

    Raises:
        GradingError: the file cannot be read; the message names the line.
    """
    used: Counter[str] = Counter()
    before: Counter[str] = Counter()  # used before the deadline
    late: dict[str, Late] = {}
    extensions: dict[str, datetime] = {}
    for row in sorted(_rows(path, chapter, deadline) if path else [], key=lambda row: row.due):
        days = days_late(row.due, row.submitted) if row.submitted else 0
        free = min(days, free_days - used[row.student])
        if row.chapter != chapter:
            used[row.student] += free
            if row.student not in extensions and deadline and row.due <= deadline:
                before[row.student] += free
        elif row.student in late or row.student in extensions:
            raise GradingError(f"{path} has two times for {row.student} in chapter {chapter}; leave only the last")
        elif row.submitted:
            used[row.student] += free
            late[row.student] = Late(row.due, row.submitted, days, free)
        else:
            extensions[row.student] = row.due
            before[row.student] = used[row.student]
    if path and not late and not extensions:
        raise GradingError(f"{path} has no time for chapter {chapter}")
    return Lateness(late, percent, deadline, extensions, free_days, before)


def read_time(text: str) -> datetime:
    """A date and a time of day in ISO 8601.

    Raises:
        GradingError: it is none, or a date alone, which would mean the beginning of that day.
    """
    try:
        time = datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise GradingError(f"{error}; {_HOW_TO_WRITE}") from error
    with suppress(ValueError):
        date.fromisoformat(text.strip())
        raise GradingError(f"{text.strip()!r} has no time of day; {_HOW_TO_WRITE}")
    return time


def whole_number(text: str) -> int:
    """A chapter's number in a table.

    Raises:
        GradingError: it is none.
    """
    if not text.isdecimal():
        raise GradingError(f"the chapter is {text!r}; write its number, such as 3")
    return int(text)


def _rows(path: Path, chapter: int, deadline: datetime | None) -> Iterable[_Row]:
    zones = {deadline.tzinfo is None} if deadline else set()
    for place, row in read_table(path, _COLUMNS, ["chapter"]):
        try:
            due = read_time(row["due"])
            submitted = read_time(row["submitted"]) if row["submitted"] else None
            number = whole_number(row["chapter"]) if row["chapter"] else chapter
        except GradingError as error:
            raise GradingError(f"{place}: {error}") from error
        zones |= {time.tzinfo is None for time in (due, submitted) if time}
        if len(zones) > 1:
            raise GradingError(f"{place}: give either all times a time zone, or none, and --due as well")
        yield _Row(row["student"], number, due, submitted)


def days_late(due: datetime, submitted: datetime) -> int:
    """Days after the deadline; each begun day counts as one."""
    return max(0, math.ceil((submitted - due) / _DAY))


def in_utc(time: datetime) -> datetime:
    """The time as nbgrader stores it: in UTC, without a zone. A time without a zone counts as UTC."""
    return time.astimezone(UTC).replace(tzinfo=None) if time.tzinfo else time
