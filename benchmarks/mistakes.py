"""Every known mistake and every right solution, fed to the grader.

A mistake must lose points, and its own sentence must be the only diagnosis. A right solution, in whatever style, must
get full marks. The seconds are the processor time of a check of a right solution, once the expected outputs exist: the
median of all solutions, and in the last row the longest of these. The results of a chapter are stored in `build/cache`,
so this benchmark resumes after an interruption.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

from grading.exercises.registry import chapters
from grading.exercises.solutions import SOLUTIONS
from grading.judging.audit import audit
from grading.judging.exercise import Chapter, Exercise
from grading.judging.expectations import LiveExpectations
from grading.judging.verdict import judge_exercise
from grading.sandbox.interpreter import Interpreter
from grading.storage.cache import kept, key_of


def measure() -> list[dict[str, Any]]:
    """A row for each exercise, and their sums."""
    key = key_of(("course", "grading", "benchmarks/mistakes.py"), sys.version)
    rows: list[dict[str, Any]] = []
    for chapter in chapters().values():
        rows += json.loads(kept(f"mistakes-{chapter.slug}", key, partial(_measured, chapter)))
    counted = list(rows[0])[2:-1]
    sums: dict[str, Any] = {column: sum(row[column] for row in rows) for column in counted}
    longest = max(row["seconds of a check"] for row in rows)
    return [*rows, {"exercise": f"all {len(rows)}", "chapter": "", **sums, "seconds of a check": longest}]


def _measured(chapter: Chapter) -> bytes:
    """The rows of a chapter's exercises, as JSON."""
    live, rows = LiveExpectations(chapter), []
    for row in audit(chapter, live):
        exercise = chapter.exercises[row.exercise]
        checked = [_checked(exercise, solution.source, live) for solution in SOLUTIONS[row.exercise]]
        rows.append(
            {
                "exercise": row.exercise,
                "chapter": row.chapter,
                "checks": row.checks,
                "mistakes": row.mistakes,
                "lose points": row.caught,
                "named": row.named,
                "right solutions": len(checked),
                "get all points": sum(is_right for is_right, _ in checked),
                "seconds of a check": statistics.median(seconds for _, seconds in checked),
            }
        )
    return json.dumps(rows).encode()


def _checked(exercise: Exercise, source: str, live: LiveExpectations) -> tuple[bool, float]:
    """Whether a solution gets full marks, and the seconds of processor time that the check took."""
    with tempfile.TemporaryDirectory() as scratch:
        session = Interpreter(Path(scratch))
        session.perform({"op": "define", "source": source, "origin": exercise.name})
        started = time.process_time()
        result = judge_exercise(exercise, session, live)
        return result.passed, time.process_time() - started
