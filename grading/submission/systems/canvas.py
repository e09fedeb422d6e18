"""Canvas's "Download Submissions": all files in one folder, each named after its student.

`alicesmith_LATE_1000_9000_03_attention-2.ipynb`: the student's name without spaces, whether it was late, Canvas's
numbers of the student and of the file, and the file's name. A resubmitted file gets `-1`, `-2`, ...

Reference:
    https://community.canvaslms.com/t5/Instructor-Guide/How-do-I-download-all-student-submissions-for-an-assignment/ta-p/691
"""

from __future__ import annotations

import re

from grading.submission.download import Download
from grading.submission.submission_file import Person
from grading.submission.systems.parts import Part, Reading, System

# Canvas leaves no number between underscores in a student's name, so the first one is the student's number. Later ones
# are in the file's name, which the student chose.
_NAME = re.compile(
    r"(?P<name>(?:(?!_\d+_).)+?)(?P<late>_LATE)?_(?P<user>\d+)_(?:(?P<file>\d+)_(?P<rest>.*)|(?:text|link|url)\.html)",
    re.DOTALL,
)
_AGAIN = re.compile(r"-\d+(?=\.[^.]*$|$)")


def _read(download: Download) -> Reading:
    reading = Reading([], [])
    for entry in download.entries:
        found = _NAME.fullmatch(entry.parts[0])
        if not found:
            reading.others.append(entry)
            continue
        reading.parts.append(
            Part(
                entry,
                f"{found['name']}_{found['user']}",
                Person("canvas", found["name"], found["user"]),
                (int(found["file"][:18]),) if found["file"] else (0,),
                _AGAIN.sub("", "/".join([found["rest"] or "", *entry.parts[1:]])) if found["file"] else entry.name,
                late=bool(found["late"]),
            )
        )
    return reading


CANVAS = System("canvas", "Canvas", "alicesmith_1000_9000_03_attention.ipynb", _read)
