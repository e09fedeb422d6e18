"""Blackboard's "Assignment File Download": files named after assignment, user and time, and a receipt for each attempt.

`Chapter 3_asmith_attempt_2026-11-01-12-00-00_03_attention.ipynb`, beside it the receipt
`Chapter 3_asmith_attempt_2026-11-01-12-00-00.txt`, which begins with `Name: Alice Smith (asmith)`.

Reference:
    https://help.blackboard.com/Learn/Instructor/Original/Assignments/Download_Assignments
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from grading.submission.download import Download, Entry
from grading.submission.submission_file import Person
from grading.submission.systems.parts import Part, Reading, System

_NAME = re.compile(r"(?P<head>.+)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?P<rest>_.+|\.txt)?", re.DOTALL)
_RECEIPT = re.compile(r"\s*Name: (?P<name>[^\n]*) \((?P<user>[^()\n]+)\)\s*\n")
_RECEIPT_BYTES = 4096


def _read(download: Download) -> Reading:
    reading = Reading([], [])
    found = {entry: match for entry in download.entries if (match := _NAME.fullmatch(entry.parts[0]))}
    people = _people(entry for entry, match in found.items() if match["rest"] == ".txt" and len(entry.parts) == 1)
    for entry in download.entries:
        match = found.get(entry)
        if not match:
            reading.others.append(entry)
            continue
        user = _user(match["head"], people)
        person = Person("blackboard", people.get(user, ""), user)
        reading.parts.append(Part(entry, user, person, tuple(map(int, match["time"].split("-")))))
    return reading


def _people(receipts: Iterable[Entry]) -> dict[str, str]:
    """Full names by user name. A user name that its own file's name does not end in is not believed."""
    people = {}
    for entry in receipts:
        found = _RECEIPT.match(entry.head(_RECEIPT_BYTES).decode("utf-8-sig", "replace"))
        if found and f"_{found['user']}_attempt_" in entry.name:
            people[found["user"]] = found["name"].strip()
    return people


def _user(head: str, people: dict[str, str]) -> str:
    """The end of what stands before `_attempt_`: as a receipt has it, else what follows the last underscore."""
    known = [user for user in people if head.endswith(f"_{user}")]
    return max(known, key=len) if known else head.rpartition("_")[2]


BLACKBOARD = System(
    "blackboard", "Blackboard", "Chapter 3_asmith_attempt_2026-11-01-12-00-00_03_attention.ipynb", _read
)
