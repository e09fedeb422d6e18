"""python -m grading export: marks for other systems."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from grading.commands.options import Drop, Extra, FreeDays, GradedChapter, GradedResults, LatePercent, Section, Times
from grading.terminal import output


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
    form: Annotated[_Format, typer.Option("--format", help="Who is to read it.")] = _Format.CSV,
    chapter: GradedChapter = None,
    drop: Drop = None,
    extra: Extra = None,
    times: Times = None,
    free_days: FreeDays = 0,
    late_percent: LatePercent = 0.0,
    section: Section = None,
) -> None:
    """Writes the marks for another system: a CSV file, or a results.json for each student."""
    from grading.classroom.results import only_chapter
    from grading.commands.counting import counted_marks, policy_of
    from grading.exercises.registry import chapter as chapter_of
    from grading.gradebook import canvas_csv, gradescope, moodle_csv, plain_csv, prairielearn, write_results
    from grading.storage.files import write_file

    spreadsheets = {_Format.CSV: plain_csv, _Format.CANVAS: canvas_csv, _Format.MOODLE: moodle_csv}
    autograders = {_Format.GRADESCOPE: gradescope, _Format.PRAIRIELEARN: prairielearn}
    number = chapter or only_chapter(results)
    policy = policy_of(number, drop, extra, times, free_days, late_percent)
    counted = counted_marks(results, number, policy, section)
    if form in spreadsheets:
        write_file(to, spreadsheets[form](chapter_of(number), counted))
    else:
        write_results(to, counted, autograders[form])
    output.print(f"{to}: {len(counted)} students, for {form}", style="green")
