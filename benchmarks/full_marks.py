"""A stand-in for the grader that gives every readable submission full marks."""

from __future__ import annotations

from benchmarks.made_class import made_record
from grading.classroom.reading import read_submission
from grading.classroom.submission_record import SubmissionRecord, unreadable
from grading.submission import SubmissionFile


class FullMarks:
    def __init__(self, secret: bytes, without_isolation: bool = False) -> None: ...

    def __enter__(self) -> FullMarks:
        return self

    def __exit__(self, *_: object) -> None: ...

    def prepare(self, number: int) -> None: ...

    def grade(self, file: SubmissionFile, number: int) -> SubmissionRecord:
        read = read_submission(file, number)
        if read.notebook is None:
            return unreadable(file, number, read)
        return {**made_record(file.student, person=file.person), "submission_sha256": read.sha256}
