"""Pseudonyms of students, made from the class's secret seed and the same in every table and page."""

from __future__ import annotations

import base64
import hmac
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from grading.classroom.submission_record import SubmissionRecord, is_absent
from grading.feedback.record import ExerciseRecord
from grading.messages.stored import StoredMessage
from grading.storage.files import write_file
from grading.storage.tables import table_text


def pseudonym(secret: bytes, student: str) -> str:
    """A pseudonym such as `student 4f7k-2q9m`, with 40 bits. It cannot be derived from a name without the secret."""
    digest = hmac.new(secret, f"pseudonym/{student}".encode(errors="surrogatepass"), "sha256").digest()
    letters = base64.b32encode(digest[:5]).decode().lower()
    return f"student {letters[:4]}-{letters[4:]}"


def without_name(secret: bytes, record: SubmissionRecord) -> SubmissionRecord:
    """A copy of a record that does not identify its student.

    Names of files and the instructor's reasons often contain the student's name, so such texts become general ones. The
    student's own code stays as it is.
    """
    person: Any = {**dict.fromkeys(record["person"], ""), "status": record["person"]["status"]}
    ungraded = record["problem"] and not is_absent(record)
    exercises: Any = [
        {**exercise, "override": "points given by your instructor", "messages": _without(exercise)}
        if "override" in exercise
        else exercise
        for exercise in record["exercises"]
    ]
    return {
        **record,
        "exercises": exercises,
        "student": pseudonym(secret, record["student"]),
        "person": person,
        "path": "",
        "problem": "the submission could not be graded" if ungraded else record["problem"],
        "for_instructor": [],
        "messages": [],
        "notes": ["something was repaired, left out or resubmitted"] if record["notes"] else [],
    }


def _without(exercise: ExerciseRecord) -> list[StoredMessage]:
    """The parts of an exercise's messages, except those of the instructor's reason."""
    return [message for message in exercise.get("messages", []) if message["english"] != exercise.get("override")]


def keep_key(folder: Path, secret: bytes, students: Iterable[str]) -> None:
    """Write the key from pseudonyms to names to a folder of results, readable by its owner alone.

    Raises:
        GradingError: it cannot be written.
    """
    pairs = sorted((pseudonym(secret, student), student) for student in students)
    rows = [{"pseudonym": name, "student": student} for name, student in pairs]
    write_file(folder / "pseudonyms.csv", table_text(("pseudonym", "student"), rows), mode=0o600)
