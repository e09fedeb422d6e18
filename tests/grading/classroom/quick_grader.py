"""A stand-in for the grader, so that hundreds of submissions pass in a second.

A Dask worker that loads this module has it, too.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from grading.classroom import cluster
from grading.classroom.reading import ReadSubmission
from grading.classroom.submission_record import SubmissionRecord, person_of, unreadable
from grading.submission import Cell, Notebook, SubmissionFile, read_files


class QuickGrader:
    """Gives a record of a few kilobytes that follows from what was handed in, and logs whom it graded, where asked."""

    def __init__(self, secret: bytes, without_isolation: bool = False) -> None:
        self._log = os.environ.get("GRADED_LOG")
        self._seconds = float(os.environ.get("SECONDS_EACH", "0.002"))

    def __enter__(self) -> QuickGrader:
        return self

    def __exit__(self, *_: object) -> None: ...

    def prepare(self, number: int) -> None: ...

    def grade(self, file: SubmissionFile, number: int) -> SubmissionRecord:
        return self.grade_read(file, read(file, number), number)

    def grade_read(self, file: SubmissionFile, read: ReadSubmission, number: int) -> SubmissionRecord:
        if self._log:
            with Path(self._log).open("a") as log:
                log.write(f"{file.student}\n")
        time.sleep(self._seconds)
        if read.notebook is None:
            return unreadable(file, number, read)
        text = read.notebook.cells[0].source
        made: Any = {
            "student": file.student,
            "earned": float(len(text)),
            "notes": [text] * 50,
            "problem": "",
            "code": {},
        }
        return {**made, "person": person_of(file), "submission_sha256": read.sha256}


def read(file: SubmissionFile, number: int) -> ReadSubmission:
    """The whole file as one cell."""
    handed_in = read_files(file)
    content = handed_in.contents[0][1] if handed_in.contents else file.problem
    if not isinstance(content, bytes):
        return ReadSubmission(handed_in.sha256, None, str(content))
    notebook = Notebook(file.path.name, (Cell("", "code", content.decode(), 1),), number, (), "")
    return ReadSubmission(handed_in.sha256, notebook, "")


def dask_setup(worker: Any) -> None:
    """Called by a worker that loads this module."""
    cluster.Grader = QuickGrader  # type: ignore[misc, assignment]
