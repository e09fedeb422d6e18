"""Google Classroom's folder in Drive, downloaded: one file for each student, named after student and file.

`Alice Smith - 03_attention.ipynb`, as Classroom names the copy that it makes for each student, or an archive named so.
Files that students uploaded under other names do not say whose they are, and are left to the instructor. Drive adds
` (1)` to a name that already exists, which does not say which of the two files is newer.

Reference:
    https://support.google.com/edu/classroom/answer/6020285
"""

from __future__ import annotations

import re
from collections import Counter

from grading.submission.download import Download, Entry
from grading.submission.names import drive_download, is_archive_name, is_notebook_name
from grading.submission.submission_file import Person
from grading.submission.systems.parts import Part, Reading, System

_COPY = "Copy of "
_ANYBODY = "somebody else who chose this name"
_AGAIN = re.compile(r" \(\d+\)(?=\.[^.]*$|$)")
_NAME = re.compile(r"(?P<name>[^\W\d_][^/]*?) - (?P<rest>.+)", re.DOTALL)


def _read(download: Download) -> Reading:
    found = {entry: name for entry in download.entries if (name := _student(entry))}
    names = Counter(found.values())
    # "Chapter 3 - alice.ipynb" and "Chapter 3 - bob.ipynb" do not begin with a student's name.
    if sum(count == 1 for count in names.values()) * 2 <= len(names):
        return Reading([], list(download.entries))
    reading = Reading([], [])
    templates = _templates(found)
    for entry in download.entries:
        name = found.get(entry, "")
        parts = [Part(entry, name, Person("google-classroom", name))] if name else []
        if names[name] > 1 and templates and _rest(entry, name) not in templates:
            # The student also has Classroom's copy, so anybody may have uploaded this file.
            parts.append(Part(entry, _ANYBODY, Person("google-classroom")))
        reading.add(entry, parts)
    return reading


def _student(entry: Entry) -> str:
    """The student's name at the beginning of a file's name, or ""."""
    is_notebook = is_notebook_name(entry.name) or (is_archive_name(entry.name) and not drive_download(entry.name))
    found = _NAME.fullmatch(entry.name) if len(entry.parts) == 1 and is_notebook else None
    return found["name"].removeprefix(_COPY).strip() if found else ""


def _templates(found: dict[Entry, str]) -> set[str]:
    """The text after the name in Classroom's own copies: the same for more than half of the students."""
    counts = Counter(rest for _, rest in {(name, _rest(entry, name)) for entry, name in found.items()})
    return {rest for rest, count in counts.items() if count * 2 > len(set(found.values()))}


def _rest(entry: Entry, name: str) -> str:
    return _AGAIN.sub("", entry.name.removeprefix(name))


GOOGLE_CLASSROOM = System("google-classroom", "Google Classroom", "Alice Smith - 03_attention.ipynb", _read, False)
