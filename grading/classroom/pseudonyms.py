"""Names that do not say whose work it is: made from the class's secret, and the same in every table and page."""

from __future__ import annotations

import base64
import csv
import hmac
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from grading.classroom.grader import MISSING, SubmissionRecord
from grading.storage.files import write_file


def pseudonym(secret: bytes, student: str) -> str:
    """`student 4f7k-2q9m`: whoever does not know the secret cannot find it from a name. It has 40 bits."""
    digest = hmac.new(secret, f"pseudonym/{student}".encode(errors="surrogatepass"), "sha256").digest()
    letters = base64.b32encode(digest[:5]).decode().lower()
    return f"student {letters[:4]}-{letters[4:]}"


def without_name(secret: bytes, record: SubmissionRecord) -> SubmissionRecord:
    """A record that does not say whose it is.

    Names of files often hold the student's, so what quotes them is said in general. What a student wrote into the
    solutions stays.
    """
    person: Any = {**dict.fromkeys(record["person"], ""), "status": record["person"]["status"]}
    ungraded = record["problem"] and person["status"] != MISSING
    return {
        **record,
        "student": pseudonym(secret, record["student"]),
        "person": person,
        "path": "",
        "problem": "what was handed in could not be graded" if ungraded else record["problem"],
        "notes": ["something was mended, left out or handed in again"] if record["notes"] else [],
    }


def keep_key(folder: Path, secret: bytes, students: Iterable[str]) -> None:
    """Writes down who is who in a folder of results, readable by its owner alone.

    Raises:
        GradingError: it cannot be written.
    """
    text = io.StringIO()
    pairs = sorted((pseudonym(secret, student), student) for student in students)
    csv.writer(text, lineterminator="\n").writerows([("pseudonym", "student"), *pairs])
    write_file(folder / "pseudonyms.csv", text.getvalue(), mode=0o600)
