"""Tables for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from grading.classroom.reasons import ROSTER_KINDS, Reason, by_kind, kinds
from grading.classroom.submission_record import SubmissionRecord
from grading.feedback.card import format_points
from grading.judging.audit import Audit
from grading.judging.exercise import Chapter

_MOST_ROWS = 200
_MOST_LINES = 40
# Widths of columns, in characters.
_POINTS, _LOOK, _SHORTEST = 4, 10, 12


def class_table(
    chapter: Chapter, records: Sequence[SubmissionRecord], found: Mapping[str, Sequence[Reason]], width: int
) -> Table:
    """A table with a row for each student and a column for each exercise. Names are never read as markup.

    A large class is cut to its first rows. If the terminal is too narrow, numbers replace the exercises' names and the
    caption explains them, so that every name stays readable.

    Args:
        found: the reasons for a look, by student.
        width: the terminal's width, in characters.
    """
    rows = [
        [
            record["student"],
            format_points(record["earned"]),
            *(format_points(exercise["earned"]) for exercise in record["exercises"]),
            ", ".join(kinds(found.get(record["student"], ()))),
        ]
        for record in records[:_MOST_ROWS]
    ]
    headings = [f"{name} /{format_points(one.points)}" for name, one in chapter.exercises.items()]
    longest = max((cell_len(row[0]) for row in rows), default=0)
    numbered = longest + _room_of([*map(len, headings)]) > width
    student = min(longest, max(_SHORTEST, width - _room_of([_POINTS] * len(headings))))
    legend = ", ".join(f"{number} {heading}" for number, heading in enumerate(headings, 1))
    more = len(records) - _MOST_ROWS
    caption = [legend] * numbered + [f"and {more:,} more in grades.csv"] * (more > 0)
    table = Table(
        title=f"Chapter {chapter.number}, {chapter.title}",
        caption="\n".join(caption) or None,
        caption_justify="left",
    )
    table.add_column("student", min_width=student, overflow="fold")
    table.add_column(f"/{format_points(chapter.points)}", justify="right", no_wrap=True)
    for number, heading in enumerate(headings, 1):
        table.add_column(str(number) if numbered else heading, justify="right", no_wrap=True)
    table.add_column("look at", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _room_of(exercises: Sequence[int]) -> int:
    """The width of all columns but the students', with the lines between them."""
    widths = [_POINTS, *exercises, _LOOK]
    return sum(widths) + 3 * (len(widths) + 1) + 1


def look_lines(found: Mapping[str, Sequence[Reason]]) -> list[str]:
    """A line for each kind of reason for a look and each student. The roster's kinds are reported elsewhere."""
    lines = [
        f"{kind}: {student}: {'; '.join(reason.text for reason in reasons)}"
        for kind, students in by_kind(found).items()
        if kind not in ROSTER_KINDS
        for student, reasons in students.items()
    ]
    more = len(lines) - _MOST_LINES
    return [*lines[:_MOST_LINES], *([f"and {more:,} more on the page"] if more > 0 else [])]


def audit_table(rows: list[Audit]) -> Table:
    """A table with a row for each exercise, and the totals."""
    table = Table(title="Known mistakes, as the grader judges them", show_footer=True)
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
