"""Marks for the systems in which instructors keep them."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from grading.exercise import Chapter
from grading.files import write_whole
from grading.grader import SubmissionRecord

# A spreadsheet takes a cell that begins so for a formula; a student's name must not become one.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_csv(path: Path, chapter: Chapter, records: list[SubmissionRecord]) -> None:
    """Writes a row for each student: points in all, in each exercise, and what kept a submission from being graded.

    Raises:
        GradingError: the file cannot be written.
    """
    rows = [
        {
            "student": _harmless(record["student"]),
            "points": record["earned"],
            "out_of": record["points"],
            **{exercise["name"]: exercise["earned"] for exercise in record["exercises"]},
            "problem": _harmless(record["problem"]),
        }
        for record in records
    ]
    columns = ["student", "points", "out_of", *chapter.exercises, "problem"]
    write_whole(path, pd.DataFrame(rows, columns=columns).to_csv(index=False, lineterminator="\n"))


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text
