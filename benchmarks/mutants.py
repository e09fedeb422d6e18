"""Small changes of every right answer, fed to the checks: mutants, which measure them.

A changed answer should fail a check. A change that makes no difference is listed with its reason in
`equivalent_mutants.toml`, beside the chapter's checks. Any other survivor is a gap in the checks. All mutants run in
the sandbox, as submissions do. Results are kept in `build/mutants`, so an interrupted run resumes, and only what has
changed is tried again.
"""

from __future__ import annotations

from typing import Any

from grading.exercises.registry import chapters
from grading.mutants.survey import survey


def measure() -> list[dict[str, Any]]:
    """A row for each exercise, and their sums."""
    rows: list[dict[str, Any]] = [
        {
            "exercise": result.exercise,
            "chapter": chapter.number,
            "mutants": result.tried,
            "killed": result.seen,
            "equal": result.equal,
            "survived": len(result.survivors),
        }
        for chapter in chapters().values()
        for result in survey(chapter, list(chapter.exercises), b"mutants")
    ]
    sums: dict[str, Any] = {column: sum(row[column] for row in rows) for column in list(rows[0])[2:]}
    return [*rows, {"exercise": f"all {len(rows)}", "chapter": "", **sums}]
