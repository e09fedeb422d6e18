"""Every known mistake and every right solution, fed to the grader.

A mistake must lose points and be named, by nothing but its own sentence. A right solution, however it is written, must
get all points.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from grading.audit import audit
from grading.exercise import Exercise, chapters
from grading.expectations import Live
from grading.sandbox.interpreter import Interpreter
from grading.verdict import judge_exercise
from tests.grading.variants import VARIANTS


def measure() -> list[dict[str, Any]]:
    """A row for each exercise, and their sums."""
    rows: list[dict[str, Any]] = []
    for chapter in chapters().values():
        live = Live(chapter)
        for row in audit(chapter, live):
            solutions = VARIANTS[row.exercise]
            exercise = chapter.exercises[row.exercise]
            rows.append(
                {
                    "exercise": row.exercise,
                    "chapter": row.chapter,
                    "checks": row.checks,
                    "mistakes": row.mistakes,
                    "lose points": row.caught,
                    "named": row.named,
                    "right solutions": len(solutions),
                    "get all points": sum(_is_right(exercise, solution.source, live) for solution in solutions),
                }
            )
    sums = {column: sum(row[column] for row in rows) for column in list(rows[0])[2:]}
    return [*rows, {"exercise": f"all {len(rows)}", "chapter": "", **sums}]


def _is_right(exercise: Exercise, source: str, live: Live) -> bool:
    with tempfile.TemporaryDirectory() as scratch:
        session = Interpreter(Path(scratch))
        session.perform({"op": "define", "source": source, "origin": exercise.name})
        return judge_exercise(exercise, session, live).passed
