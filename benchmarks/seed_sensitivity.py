"""Whether marks depend on the secret seed: the sample classes and all known mistakes, graded under several secrets.

The secret of a class seeds the inputs of all its checks. A mark that differs under another secret is luck: it lets a
wrong answer pass, or fails a right one. "Let through" counts mistakes that fail no check under some secret.
"""

from __future__ import annotations

from typing import Any

from grading.classroom.results import Results
from grading.classroom.run import grade_class
from grading.exercises.registry import chapters
from grading.judging.audit import let_through
from grading.judging.exercise import Chapter
from grading.judging.expectations import LiveExpectations
from grading.sample_class.make import expected, submissions
from grading.storage.temporary import temporary_folder

SECRETS = 5


def measure() -> list[dict[str, Any]]:
    """A row for each chapter, and their sums."""
    secrets = [f"secret {number}".encode() for number in range(SECRETS)]
    rows: list[dict[str, Any]] = []
    for chapter in chapters().values():
        right = {student: result["exercises"] for student, result in expected(chapter.number).items()}
        marks = [mark for secret in secrets for mark in _marks(chapter, secret)]
        differ = sum(earned != right[student][exercise] for student, exercise, earned in marks)
        mistakes = SECRETS * sum(len(exercise.mistakes) for exercise in chapter.exercises.values())
        through = sum(_let_through(chapter, secret) for secret in secrets)
        row = {"marks": len(marks), "differ": differ, "mistakes": mistakes, "let through": through}
        rows.append({"chapter": chapter.slug, **row})
    sums = {column: sum(row[column] for row in rows) for column in list(rows[0])[1:]}
    return [*rows, {"chapter": f"all {len(rows)}", **sums}]


def _let_through(of: Chapter, secret: bytes) -> int:
    """How many known mistakes of a chapter fail no check."""
    live = LiveExpectations(of, secret=secret)
    return sum(len(let_through(exercise, live)) for exercise in of.exercises.values())


def _marks(of: Chapter, secret: bytes) -> list[tuple[str, str, float]]:
    """The points of each student of a class for each exercise."""
    with temporary_folder() as folder:
        kept = folder / "results"
        kept.mkdir()
        (kept / "secret").write_text(secret.hex())
        return [
            (record["student"], exercise["name"], exercise["earned"])
            for record in grade_class(submissions(of.number), Results(kept, of.number))
            for exercise in record["exercises"]
        ]
