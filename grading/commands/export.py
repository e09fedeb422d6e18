"""python -m grading export: write marks for other systems."""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from grading.commands.options import (
    Anonymous,
    Drop,
    Due,
    Extra,
    FreeDays,
    GradedChapter,
    GradedResults,
    LatePercent,
    Section,
    Times,
)
from grading.errors import GradingError
from grading.terminal import errors, output

if TYPE_CHECKING:
    from grading.gradebook import Mark
    from grading.judging.exercise import Chapter


class _Format(StrEnum):
    CSV = "csv"
    CANVAS = "canvas"
    MOODLE = "moodle"
    GRADESCOPE = "gradescope"
    PRAIRIELEARN = "prairielearn"


def export(
    results: GradedResults,
    to: Annotated[Path, typer.Option(help="The CSV file; for gradescope and prairielearn, a folder.")],
    *,
    form: Annotated[_Format, typer.Option("--format", help="The system that will read the marks.")] = _Format.CSV,
    chapter: GradedChapter = None,
    drop: Drop = None,
    extra: Extra = None,
    due: Due = None,
    times: Times = None,
    free_days: FreeDays = 0,
    late_percent: LatePercent = 0.0,
    section: Section = None,
    anonymous: Anonymous = False,
    column: Annotated[
        str | None,
        typer.Option(help="For canvas: the heading of an existing assignment, such as 'BERT 3 (4711)'."),
    ] = None,
) -> None:
    """Writes the marks for another system: a CSV file, or a results.json for each student."""
    from grading.classroom.results import Results, graded_chapter
    from grading.commands.counting import anonymous_marks, counted_marks, policy_of
    from grading.exercises.registry import chapter as chapter_of
    from grading.feedback.card import format_points
    from grading.gradebook import canvas_csv, gradescope, moodle_csv, plain_csv, prairielearn, write_results
    from grading.gradebook.spreadsheets import is_worksheet, without_participant
    from grading.storage.files import write_file

    spreadsheets: dict[_Format, Callable[[Chapter, Collection[Mark]], str]] = {
        _Format.CSV: partial(plain_csv, anonymous=anonymous),
        _Format.CANVAS: partial(canvas_csv, column=column),
        _Format.MOODLE: moodle_csv,
    }
    autograders = {_Format.GRADESCOPE: gradescope, _Format.PRAIRIELEARN: prairielearn}
    number = graded_chapter(results, chapter)
    policy = policy_of(results, number, section, drop, extra, times, free_days, late_percent, due)
    if anonymous and form is not _Format.CSV:
        raise GradingError(f"{form} needs the students' names; use --anonymous only with --format csv")
    if column and form is not _Format.CANVAS:
        raise GradingError(f"{form} has no columns to choose from; use --column only with --format canvas")
    counted: Collection[Mark] = counted_marks(results, number, policy, section)
    if anonymous:
        counted = anonymous_marks(Results(results, number), counted)
    if form is _Format.MOODLE and (others := without_participant(counted)):
        errors.print(
            Text(f"No participant number is known, so Moodle will skip the rows of: {', '.join(others)}", "yellow")
        )
    if form in spreadsheets:
        write_file(to, spreadsheets[form](chapter_of(number), counted))
    else:
        write_results(to, counted, autograders[form])
    output.print(f"{to}: {len(counted)} students, for {form}", style="green")
    if form is _Format.MOODLE and is_worksheet(counted):
        output.print(
            f"Set the assignment's maximum grade to {format_points(next(iter(counted)).out_of)}, use Moodle in English"
            " for the upload, and for a second upload tick the option that updates records modified more recently in"
            " Moodle."
        )
