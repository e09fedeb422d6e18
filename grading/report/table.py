"""Tables for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from grading.classroom.grader import SubmissionRecord
from grading.feedback.card import format_points
from grading.judging.audit import Audit
from grading.judging.exercise import Chapter

_MOST_ROWS = 200


def class_table(chapter: Chapter, records: Sequence[SubmissionRecord]) -> Table:
    """A row for each student; a column for each exercise. Students' names are shown as they are, never as markup.

    Of a class that no terminal can show, there are the first rows.
    """
    more = len(records) - _MOST_ROWS
    table = Table(
        title=f"Chapter {chapter.number}, {chapter.title}",
        caption=f"and {more:,} more in grades.csv" if more > 0 else None,
    )
    table.add_column("student")
    table.add_column("points", justify="right")
    for name, exercise in chapter.exercises.items():
        table.add_column(f"{name}\n/{format_points(exercise.points)}", justify="right", overflow="fold")
    table.add_column("look at")
    for record in records[:_MOST_ROWS]:
        marks = [format_points(exercise["earned"]) for exercise in record["exercises"]]
        look = record["problem"] or "; ".join(record["flags"][:2])
        table.add_row(*map(Text, [record["student"], format_points(record["earned"]), *marks, look]))
    return table


def audit_table(rows: list[Audit]) -> Table:
    """A row for each exercise, and their sums."""
    table = Table(title="Known mistakes, fed to the grader", show_footer=True)
    sums = [sum(values) for values in zip(*((row.mistakes, row.caught, row.named) for row in rows), strict=True)]
    points = sum(row.points for row in rows)
    for header, footer in zip(
        ("chapter", "exercise", "points", "checks", "mistakes", "lose points", "named"),
        ("", "all", format_points(points), str(sum(row.checks for row in rows)), *map(str, sums)),
        strict=True,
    ):
        table.add_column(header, footer, justify="left" if header == "exercise" else "right")
    for row in rows:
        counts = (row.checks, row.mistakes, row.caught, row.named)
        table.add_row(str(row.chapter), row.exercise, format_points(row.points), *map(str, counts))
    return table
