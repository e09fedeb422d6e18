"""Brightspace's download of an assignment: a folder for each time that a student handed in, and an `index.html`.

`12345-67890 - Alice Smith - Nov 1, 2026 1200 PM/03_attention.ipynb`: the student's number and the assignment's, the
name, and when. Without folders, the file's name comes last, after another hyphen.

Reference:
    https://community.d2l.com/brightspace/kb/articles/3551-evaluate-assignments
"""

from __future__ import annotations

import re
from datetime import datetime

from grading.submission.download import Download
from grading.submission.submission_file import Person
from grading.submission.systems.parts import Part, Reading, System

# The number in front is the student's. If there are several times, all but the first are in the file's name.
_NAME = re.compile(
    r"(?P<number>\d+)-\d+ - (?P<name>.+?) - (?P<time>[A-Z][a-z]{2,8} \d{1,2}, \d{4} \d{3,4} [AP]M)(?: - .+)?", re.DOTALL
)


def _read(download: Download) -> Reading:
    reading = Reading([], [])
    for entry in download.entries:
        found = _NAME.fullmatch(entry.parts[0])
        when = _time(found["time"]) if found else None
        if found and when:
            person = Person("brightspace", found["name"], found["number"])
            attempt = (when.year, when.month, when.day, when.hour, when.minute)
            student = f"{found['name']}_{found['number']}"
            reading.parts.append(Part(entry, student, person, attempt, submitted=when.isoformat()))
        elif entry.parts != ("index.html",):
            reading.others.append(entry)
    return reading


def _time(time: str) -> datetime | None:
    month, day, year, clock, half = time.replace(",", "").split()
    try:
        return datetime.strptime(f"{month[:3]} {day} {year} {clock.zfill(4)} {half}", "%b %d %Y %I%M %p")
    except ValueError:
        return None


BRIGHTSPACE = System(
    "brightspace", "Brightspace", "12345-67890 - Alice Smith - Nov 1, 2026 1200 PM/03_attention.ipynb", _read
)
