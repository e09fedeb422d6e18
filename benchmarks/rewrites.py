"""Every right answer, written in other ways: with einsum, loops, helpers, other names, decorators, and all at once.

The changes are mechanical and keep the meaning, so each rewrite must get full marks. The rewrites run in the sandbox,
as submissions do. Their results are stored in `build/mutants`, so this benchmark resumes after an interruption.
"""

from __future__ import annotations

from typing import Any

from grading.exercises.registry import chapters
from grading.mutants.survey import rewrites_with_all_points


def measure() -> list[dict[str, Any]]:
    """A row for each chapter, and their sums."""
    rows: list[dict[str, Any]] = []
    for chapter in chapters().values():
        results = rewrites_with_all_points(chapter)
        total = sum(count for count, _ in results.values())
        wrong = [f"{name}: {failure}" for name, (_, failed) in results.items() for failure in failed]
        rows.append(
            {
                "chapter": f"{chapter.number} {chapter.title}",
                "exercises": len(results),
                "written otherwise": total,
                "get all points": total - len(wrong),
                "lose points": "; ".join(wrong),
            }
        )
    sums: dict[str, Any] = {
        column: sum(row[column] for row in rows) for column in ("exercises", "written otherwise", "get all points")
    }
    return [*rows, {"chapter": "all", **sums, "lose points": ""}]
