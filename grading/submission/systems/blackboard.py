"""Blackboard's "Assignment File Download": files named after assignment, user and time, and a receipt for each attempt.

`Chapter 3_asmith_attempt_2026-11-01-12-00-00_03_attention.ipynb`, beside it the receipt
`Chapter 3_asmith_attempt_2026-11-01-12-00-00.txt`, which begins with `Name: Alice Smith (asmith)`.

Reference:
    https://help.blackboard.com/Learn/Instructor/Original/Assignments/Download_Assignments
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from grading.submission.download import Download, Entry
from grading.submission.submission_file import Person
from grading.submission.systems.parts import Part, Reading, System

_MARK = re.compile(r"(?<=.)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?=_|\.txt\Z|\Z)", re.DOTALL)
_RECEIPT_NAME = re.compile(r"(?P<head>.+)_attempt_\d{4}(?:-\d\d){5}\.txt", re.DOTALL)
_RECEIPT = re.compile(r"\s*Name: (?P<name>[^\n]*) \((?P<user>[^()\n]+)\)\s*\n")
_RECEIPT_BYTES = 4096


def _read(download: Download) -> Reading:
    reading = Reading([], [])
    marks = {entry: list(_MARK.finditer(entry.parts[0])) for entry in download.entries}
    people = _people(entry for entry, found in marks.items() if len(found) == 1)
    guessed: dict[str, set[str]] = {}
    for head in {_head(mark) for found in marks.values() for mark in found[:1]}:
        guessed.setdefault(_user(head, people), set()).add(head)
    for entry, found in marks.items():
        parts = [_part(entry, mark, people) for mark in found]
        head = _head(found[0]) if found else ""
        if head and head not in people and len(guessed[parts[0].student]) > 1:
            # Without a receipt, `Chapter 3_a_smith` may be of `smith` or of `a_smith`.
            parts.append(replace(parts[0], student=head))
        reading.add(entry, parts)
    return reading


def _head(mark: re.Match[str]) -> str:
    return mark.string[: mark.start()]


def _part(entry: Entry, mark: re.Match[str], people: dict[str, tuple[str, str]]) -> Part:
    head = _head(mark)
    user = _user(head, people)
    person = Person("blackboard", people.get(head, ("", ""))[1], user)
    attempt = tuple(map(int, mark["time"].split("-")))
    return Part(entry, user, person, attempt, submitted=_iso(attempt))


def _iso(attempt: tuple[int, ...]) -> str:
    try:
        return datetime(*attempt).isoformat()  # type: ignore[arg-type]
    except ValueError:
        return ""


def _people(entries: Iterable[Entry]) -> dict[str, tuple[str, str]]:
    """User and full names by the text before `_attempt_`. A receipt counts only for its own file name."""
    people = {}
    for entry in entries:
        mark = _RECEIPT_NAME.fullmatch(entry.name) if len(entry.parts) == 1 else None
        found = _RECEIPT.match(entry.head(_RECEIPT_BYTES).decode("utf-8-sig", "replace")) if mark else None
        if mark and found and mark["head"].endswith(f"_{found['user']}"):
            people[mark["head"]] = (found["user"], found["name"].strip())
    return people


def _user(head: str, people: dict[str, tuple[str, str]]) -> str:
    """The user name at the end of the text before `_attempt_`.

    The receipt gives it. Without one, it is the text after the assignment's name in another receipt, else after the
    last underscore.
    """
    if head in people:
        return people[head][0]
    assignments = {known.removesuffix(user) for known, (user, _) in people.items()}
    ends = [head.rpartition(assignment)[2] for assignment in assignments if assignment in head]
    return min(filter(None, ends), key=len, default=head.rpartition("_")[2])


BLACKBOARD = System(
    "blackboard", "Blackboard", "Chapter 3_asmith_attempt_2026-11-01-12-00-00_03_attention.ipynb", _read
)
