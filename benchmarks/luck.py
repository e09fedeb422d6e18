"""Whether marks hang on what is drawn: the sample classes, graded under several secrets.

The secret of a class draws the inputs of all its checks. A mark that is another one under another secret is luck: it
lets a wrong answer pass, or wrongs a right one.
"""

from __future__ import annotations

import json
from typing import Any

from grading.classroom.results import Results
from grading.classroom.run import grade_class
from grading.exercises.registry import chapters
from grading.judging.exercise import Chapter
from grading.sample_class.make import FOLDER
from grading.storage.temporary import temporary_folder

SECRETS = 5


def measure() -> list[dict[str, Any]]:
    """A row for each chapter, and their sums."""
    manifest = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
    rows = []
    for of in chapters().values():
        expected = {student: wanted["exercises"] for student, wanted in manifest[of.slug].items()}
        marks = [mark for number in range(SECRETS) for mark in _marks(of, f"secret {number}".encode())]
        differ = sum(earned != expected[student][exercise] for student, exercise, earned in marks)
        rows.append({"chapter": of.slug, "marks": len(marks), "differ": differ})
    return [
        *rows,
        {"chapter": f"all {len(rows)}", **{key: sum(row[key] for row in rows) for key in ("marks", "differ")}},
    ]


def _marks(of: Chapter, secret: bytes) -> list[tuple[str, str, float]]:
    """What each student of a class gets for each exercise."""
    with temporary_folder() as folder:
        kept = folder / "results"
        kept.mkdir()
        (kept / "secret").write_text(secret.hex())
        return [
            (record["student"], exercise["name"], exercise["earned"])
            for record in grade_class(FOLDER / "submissions" / of.slug, Results(kept, of.number))
            for exercise in record["exercises"]
        ]
