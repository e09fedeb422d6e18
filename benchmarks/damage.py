"""One right notebook, damaged in many ways on its way to the grader, and graded in the real sandbox.

If a solution is no longer in the file, it deserves no points, and the grader must give a reason.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from benchmarks.submissions.damage import DAMAGES
from grading.classroom.results import Results
from grading.classroom.run import grade_class
from grading.exercises.registry import chapter


def measure() -> list[dict[str, Any]]:
    """A row for each kind of damage, and their sums."""
    with tempfile.TemporaryDirectory() as name:
        submissions = Path(name) / "submissions"
        for number, damage in enumerate(DAMAGES.values()):
            folder = submissions / f"{number:02d}"
            folder.mkdir(parents=True)
            (folder / damage.file_name).write_bytes(damage.make())
        results = Results(Path(name) / "results", 3)
        records = list(grade_class(submissions, results))  # the grader reads lazily
    rows: list[dict[str, Any]] = []
    for damage, record in zip(DAMAGES.values(), records, strict=True):
        deserved = sum(of.points for name, of in chapter(3).exercises.items() if name not in damage.lost)
        reasons = [record["problem"], *(exercise["problem"] for exercise in record["exercises"])]
        rows.append(
            {
                "what happened": damage.name,
                "tried": 1,
                "deserved": deserved,
                "given": record["earned"],
                "marked right": int(record["earned"] == deserved),
                "reason": next(filter(None, reasons), ""),
            }
        )
    sums = {column: sum(row[column] for row in rows) for column in ("tried", "deserved", "given", "marked right")}
    return [*rows, {"what happened": "all", **sums, "reason": ""}]
