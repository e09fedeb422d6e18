"""Moodle's "Download all submissions": a folder for each student and kind of submission, or files named so.

`Alice Smith_12345_assignsubmission_file/03_attention.ipynb`: the full name, the participant's number in the grading
worksheet, and the plugin. `..._onlinetext` contains text typed into the browser; it is no student of its own.

Reference:
    https://docs.moodle.org/en/Using_Assignment#Downloading_and_uploading
"""

from __future__ import annotations

import re

from grading.submission.download import Download
from grading.submission.submission_file import Person
from grading.submission.systems.parts import Part, Reading, System

_MARK = re.compile(r"(?<=.)_(?P<number>\d+)_assignsubmission_(?:file|onlinetext|comments)(?=_|\Z)", re.DOTALL)


def _read(download: Download) -> Reading:
    reading = Reading([], [])
    for entry in download.entries:
        name = entry.parts[0]
        marks = _MARK.finditer(name)
        people = [Person("moodle", name[: mark.start()], mark["number"]) for mark in marks]
        reading.add(entry, [Part(entry, f"{person.name}_{person.number}", person) for person in people])
    return reading


MOODLE = System("moodle", "Moodle", "Alice Smith_12345_assignsubmission_file/03_attention.ipynb", _read)
