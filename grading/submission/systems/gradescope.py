"""Gradescope's "Download Submissions": a folder for each submission; `submission_metadata.yml` names their owners.

`assignment_5555_export/submission_22345/03_attention.ipynb`. A group's submission belongs to each of its members.

Reference:
    https://guides.gradescope.com/hc/en-us/articles/22066635961357
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from grading.submission.download import Download
from grading.submission.submission_file import Person
from grading.submission.systems.parts import Part, Reading, System

_METADATA = "submission_metadata.yml"
_METADATA_BYTES = 50_000_000
_SUBMISSION = re.compile(r"['\"]?(submission_\d+)['\"]?:\s*")
_FIELD = re.compile(r"(?:- |  ):(?P<key>name|sid|email): *(?P<value>.*)")
_CREATED = re.compile(
    r"  :created_at: ['\"]?(?P<day>\d{4}-\d\d-\d\d)[ T](?P<clock>\d\d:\d\d:\d\d)(?:\.\d+)? ?"
    r"(?P<zone>Z|[+-]\d\d:?\d\d)['\"]?\s*"
)


def _read(download: Download) -> Reading:
    reading = Reading([], [])
    metadata = next((entry for entry in download.entries if entry.parts == (_METADATA,)), None)
    text = metadata.head(_METADATA_BYTES).decode("utf-8", "replace") if metadata else ""
    people, times = _people(text), _times(text)
    for entry in download.entries:
        owners = people.get(entry.parts[0], [])
        for person in owners:
            attempt = (int(entry.parts[0].removeprefix("submission_")[:18]),)
            student = person.number or person.email or person.name
            reading.parts.append(Part(entry, student, person, attempt, submitted=times.get(entry.parts[0], "")))
        if not owners and entry is not metadata:
            reading.others.append(entry)
    return reading


def _people(text: str) -> dict[str, list[Person]]:
    """The owners of each submission.

    Only the file's lines on submitters are read. The others are results of Gradescope's own autograder, which may be
    large and contain anything. The rest of a long name stands deeper than the fields, and may contain anything, too.
    """
    people: dict[str, list[Person]] = {}
    for submission, lines in _submitters(text):
        found: list[dict[str, str]] = []
        indent = " " * (len(lines[0]) - len(lines[0].lstrip(" "))) if lines else ""
        for line in lines:
            field = _FIELD.fullmatch(line.removeprefix(indent))
            if line.startswith(f"{indent}- "):
                found.append({})
            if field and found:
                found[-1][field["key"]] = _scalar(field["value"])
        people[submission] = [
            Person("gradescope", who.get("name", ""), who.get("sid", ""), who.get("email", ""))
            for who in found
            if any(who.values())
        ]
    return people


def _times(text: str) -> dict[str, str]:
    """When each submission was made. What a student's code printed stands deeper in the file, and is not read."""
    times: dict[str, str] = {}
    submission = ""
    for line in _lines(text):
        top, created = _SUBMISSION.fullmatch(line), _CREATED.fullmatch(line)
        submission = top[1] if top else submission
        if created and submission:
            zone = "+00:00" if created["zone"] == "Z" else created["zone"]
            times.setdefault(submission, f"{created['day']}T{created['clock']}{zone}")
    return times


def _lines(text: str) -> list[str]:
    # splitlines() would also split at characters such as U+2028 in a student's text.
    return text.replace("\r\n", "\n").split("\n")


def _submitters(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each submission with the lines below its `:submitters:`."""
    submission, lines, inside = "", list[str](), False
    for line in _lines(text):
        top = _SUBMISSION.fullmatch(line)
        if top:
            if submission:
                yield submission, lines
            submission, lines, inside = top[1], [], False
        elif line.startswith("  :"):
            inside = line.rstrip() == "  :submitters:"
        elif inside:
            lines.append(line)
    if submission:
        yield submission, lines


def _scalar(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    if len(text) > 1 and text[0] == text[-1] == '"':
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return "" if text in {"null", "~"} else text


GRADESCOPE = System("gradescope", "Gradescope", "submission_22345/03_attention.ipynb", _read)
