"""Late days over a whole course: deadlines, extensions, and the free days that all chapters share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from grading.classroom.people import People
from grading.errors import GradingError
from grading.gradebook.lateness import Late, days_late, read_time, whole_number
from grading.semester.settings import Settings
from grading.storage.tables import read_table

FILE = "times.csv"


class Time(NamedTuple):
    """When a student was due and submitted, as far as the file of times says.

    Attributes:
        due: the student's own deadline: an extension; None for that of all.
        submitted: None if it is unknown.
    """

    due: datetime | None
    submitted: datetime | None


# By chapter and person.
Times = Mapping[tuple[int, str], Time]


def read_times(course: Path, people: People, settings: Settings) -> Times:
    """Read a course's file of times: student, chapter, due, submitted. Either time may be left out.

    Raises:
        GradingError: the file cannot be read, or a line names nobody, no chapter of the course, or no time, is the
            second for a student's chapter, or differs from the deadlines in having a time zone.
    """
    path = course / FILE
    found: dict[tuple[int, str], Time] = {}
    zoned = {chapter.due.tzinfo is not None for chapter in settings.chapters.values() if chapter.due}
    for place, cells in read_table(path, ("student", "chapter"), ("due", "submitted")) if path.exists() else ():
        try:
            number = whole_number(cells["chapter"])
            times = [read_time(cells[name]) if cells[name] else None for name in ("due", "submitted")]
            settings.chapter(number)
            student = people.find(cells["student"]).id
        except GradingError as error:
            raise GradingError(f"{place}: {error}") from error
        zoned |= {time.tzinfo is not None for time in times if time}
        if len(zoned) > 1:
            raise GradingError(f"{place}: give either all times and deadlines a time zone, or none")
        if (number, student) in found:
            raise GradingError(f"{place}: {student} has a line for chapter {number} above; leave one")
        found[number, student] = Time(*times)
    return found


def late_days(
    settings: Settings, times: Times, submitted: Mapping[tuple[int, str], str]
) -> dict[tuple[int, str], Late]:
    """Each student's days late by chapter and person. The chapters due first use up the free days first.

    Args:
        submitted: the times in the downloads, in ISO 8601. A time in `times` counts instead of it.

    Raises:
        GradingError: a download's time has a zone and the deadline has none.
    """
    used: dict[str, int] = {}
    late = {}
    for number, student, due, time in sorted(_known(settings, times, submitted), key=lambda one: one[2]):
        days = days_late(due, time)
        free = min(days, settings.free_days - used.get(student, 0))
        used[student] = used.get(student, 0) + free
        late[number, student] = Late(due, time, days, free)
    return late


def _known(
    settings: Settings, times: Times, submitted: Mapping[tuple[int, str], str]
) -> Iterator[tuple[int, str, datetime, datetime]]:
    for number, student in dict.fromkeys([*times, *submitted]):
        own = times.get((number, student), Time(None, None))
        due = own.due or settings.chapters[number].due
        said = submitted.get((number, student), "")
        time = own.submitted or (read_time(said) if said else None)
        if due and time:
            if due.tzinfo is None and time.tzinfo:
                raise GradingError(
                    f"the download of chapter {number} has times with a zone; write its `due` with one, as in "
                    f"{due.isoformat()}+01:00"
                )
            yield number, student, due, time if time.tzinfo else time.replace(tzinfo=due.tzinfo)
