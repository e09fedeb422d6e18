"""Google Classroom's folder in Drive, downloaded: one file for each student, named after student and file.

`Alice Smith - 03_attention.ipynb`, as Classroom names the copy that it makes for each student. What students uploaded
under names of their own says nothing of whose it is, and is left to the instructor. Drive adds ` (1)` to a name that
is there already; it does not say which of the two is the later one.

Reference:
    https://support.google.com/edu/classroom/answer/6020285
"""

from __future__ import annotations

import re

from grading.submission.download import Download
from grading.submission.names import is_notebook_name
from grading.submission.submission_file import Person
from grading.submission.systems.parts import Part, Reading, System

_NAME = re.compile(r"(?P<name>[^\W\d_][^/]*?) - (?P<rest>.+)", re.DOTALL)


def _read(download: Download) -> Reading:
    reading = Reading([], [])
    for entry in download.entries:
        found = _NAME.fullmatch(entry.name) if len(entry.parts) == 1 and is_notebook_name(entry.name) else None
        if found:
            name = found["name"].removeprefix("Copy of ").strip()
            reading.parts.append(Part(entry, name, Person("google-classroom", name)))
        else:
            reading.others.append(entry)
    if len({part.student for part in reading.parts}) * 2 > len(reading.parts):
        return reading
    # "Chapter 3 - alice.ipynb" and "Chapter 3 - bob.ipynb" begin with something else than a student's name.
    return Reading([], list(download.entries))


GOOGLE_CLASSROOM = System("google-classroom", "Google Classroom", "Alice Smith - 03_attention.ipynb", _read, False)
