"""Moodle's "Download all submissions": a folder for each student and kind of submission, or files named so.

`Alice Smith_12345_assignsubmission_file/03_attention.ipynb`: the full name, the number by which the grading worksheet
knows the participant, and the plugin. `..._onlinetext` holds what was typed into the browser: no student of its own.

Reference:
    https://docs.moodle.org/en/Using_Assignment#Downloading_and_uploading
"""

from __future__ import annotations

import re

from grading.submission.download import Download
from grading.submission.submission_file import Person
from grading.submission.systems.parts import Part, Reading, System

_NAME = re.compile(r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_(?:file|onlinetext|comments)(?:_.*)?", re.DOTALL)


def _read(download: Download) -> Reading:
    reading = Reading([], [])
    for entry in download.entries:
        found = _NAME.fullmatch(entry.parts[0])
        if found:
            person = Person("moodle", found["name"], found["number"])
            reading.parts.append(Part(entry, f"{found['name']}_{found['number']}", person))
        else:
            reading.others.append(entry)
    return reading


MOODLE = System("moodle", "Moodle", "Alice Smith_12345_assignsubmission_file/03_attention.ipynb", _read)
