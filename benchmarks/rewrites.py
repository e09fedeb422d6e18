"""Every right answer, written in other ways: with einsum, loops, helpers, other names, decorators, and all at once.

The ways are mechanical, and leave the meaning alone, so each must get all points. They run in the sandbox, as if they
had been handed in. What came of each is kept in `build/mutants`, so this goes on where it was interrupted.
"""

from __future__ import annotations

from typing import Any

from grading.exercises.registry import chapters
from grading.mutants.survey import rewrites_with_all_points


def measure() -> list[dict[str, Any]]:
    """A row for each chapter, and their sums."""
    rows: list[dict[str, Any]] = []
    for chapter in chapters().values():
        found = rewrites_with_all_points(chapter)
        given = sum(count for count, _ in found.values())
        wrong = [f"{name}: {said}" for name, (_, failed) in found.items() for said in failed]
        rows.append(
            {
                "chapter": f"{chapter.number} {chapter.title}",
                "exercises": len(found),
                "written otherwise": given,
                "get all points": given - len(wrong),
                "lose points": "; ".join(wrong),
            }
        )
    sums: dict[str, Any] = {
        column: sum(row[column] for row in rows) for column in ("exercises", "written otherwise", "get all points")
    }
    return [*rows, {"chapter": "all", **sums, "lose points": ""}]
