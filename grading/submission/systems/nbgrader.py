"""nbgrader's course folder, or its folder of collected submissions: `submitted/STUDENT/ASSIGNMENT/NOTEBOOK.ipynb`.

Reference:
    https://nbgrader.readthedocs.io/en/stable/user_guide/philosophy.html
"""

from __future__ import annotations

from grading.submission.download import Download
from grading.submission.submission_file import Person
from grading.submission.systems.parts import Part, Reading, System

_COLLECTED = "submitted"
# nbgrader's other files and folders, which contain no submissions.
_OTHERS = {"source", "release", "autograded", "feedback", "downloaded", "nbgrader_config.py", "gradebook.db"}


def _read(download: Download) -> Reading:
    reading = Reading([], [])
    inside = download.name == _COLLECTED
    entries = download.entries if inside else [entry for entry in download.entries if entry.parts[0] == _COLLECTED]
    for entry in entries:
        parts = entry.parts if inside else entry.parts[1:]
        if len(parts) >= 3:
            reading.parts.append(Part(entry, parts[0], Person("nbgrader")))
        elif not entry.is_folder:
            reading.others.append(entry)
    if not inside:
        reading.others.extend(entry for entry in download.entries if entry.parts[0] not in {_COLLECTED, *_OTHERS})
    return reading


NBGRADER = System("nbgrader", "nbgrader", "submitted/alice/03_attention/03_attention.ipynb", _read, False)
