"""The commands `export` and `gradebook`: marks for other systems."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from grading.classroom.results import Results, only_chapter
from grading.errors import GradingError
from grading.exercises.registry import chapter as chapter_of
from grading.gradebook.autograders import gradescope, prairielearn, write_results
from grading.gradebook.course_folder import handed_in, released_notebook, write_course
from grading.gradebook.database import open_database
from grading.gradebook.lateness import read_lateness
from grading.gradebook.policy import Marks, Policy, marks
from grading.gradebook.spreadsheets import canvas_csv, moodle_csv, plain_csv
from grading.storage.files import write_file
from grading.terminal import errors, output, progress_bar

_SPREADSHEETS = {"csv": plain_csv, "canvas": canvas_csv, "moodle": moodle_csv}
_AUTOGRADERS = {"gradescope": gradescope, "prairielearn": prairielearn}


class _Format(StrEnum):
    CSV = "csv"
    CANVAS = "canvas"
    MOODLE = "moodle"
    GRADESCOPE = "gradescope"
    PRAIRIELEARN = "prairielearn"


GradedResults = Annotated[Path, typer.Argument(help="The folder of results that `grade` wrote.")]
GradedChapter = Annotated[int | None, typer.Option(help="The chapter; by default, the only one that was graded.")]
_Drop = Annotated[list[str] | None, typer.Option(help="An exercise that counts for nobody. Give it once for each.")]
_Extra = Annotated[list[str] | None, typer.Option(help="An exercise whose points are extra credit.")]
_Times = Annotated[Path | None, typer.Option(help="A CSV file with the columns student, due and submitted.")]
_FreeDays = Annotated[int, typer.Option(min=0, help="Late days in the whole course that cost a student nothing.")]
Section = Annotated[str | None, typer.Option(help="Only the students of this section of the roster.")]
_LatePercent = Annotated[float, typer.Option(min=0, max=100, help="Percent of the points for each other late day.")]


def export(
    results: GradedResults,
    to: Annotated[Path, typer.Option(help="The CSV file; for gradescope and prairielearn, a folder.")],
    *,
    form: Annotated[_Format, typer.Option("--format", help="Who is to read it.")] = _Format.CSV,
    chapter: GradedChapter = None,
    drop: _Drop = None,
    extra: _Extra = None,
    times: _Times = None,
    free_days: _FreeDays = 0,
    late_percent: _LatePercent = 0.0,
    section: Section = None,
) -> None:
    """Writes the marks for another system: a CSV file, or a results.json for each student."""
    number = chapter or only_chapter(results)
    policy = _policy(number, drop, extra, times, free_days, late_percent)
    counted = _marks(results, number, policy, section)
    if form in _SPREADSHEETS:
        write_file(to, _SPREADSHEETS[form](chapter_of(number), counted))
    else:
        write_results(to, counted, _AUTOGRADERS[form])
    output.print(f"{to}: {len(counted)} students, for {form}", style="green")


def gradebook(
    results: GradedResults,
    course: Annotated[Path, typer.Option(help="nbgrader's course folder.")],
    *,
    submissions: Annotated[
        Path | None, typer.Option(help="What was handed in; formgrader then shows what the students wrote.")
    ] = None,
    database: Annotated[str | None, typer.Option(help="Its address; by default gradebook.db in the course.")] = None,
    only: Annotated[str | None, typer.Option(help="The one exercise that is written, of all students.")] = None,
    chapter: GradedChapter = None,
    drop: _Drop = None,
    extra: _Extra = None,
    times: _Times = None,
    free_days: _FreeDays = 0,
    late_percent: _LatePercent = 0.0,
    section: Section = None,
) -> None:
    """Writes the marks to nbgrader's gradebook, where formgrader shows them.

    Marks and comments that people gave are never touched.
    """
    number = chapter or only_chapter(results)
    of = chapter_of(number)
    of.require([only] if only else [])
    policy = _policy(number, drop, extra, times, free_days, late_percent)
    counted = _marks(results, number, policy, section)
    course.mkdir(parents=True, exist_ok=True)
    address = database or f"sqlite:///{course.resolve() / 'gradebook.db'}"
    notebook = released_notebook(of)
    with open_database(address, of, notebook, policy) as opened, progress_bar() as progress:
        for mark in progress.track(counted, description="Writing marks"):
            opened.write_mark(mark, only, handed_in(course, of, mark.login))
    write_course(course, of, notebook, counted, submissions)
    output.print(f"{course}: {len(counted)} students; open it with nbgrader's formgrader", style="green")


def _policy(
    number: int,
    drop: list[str] | None,
    extra: list[str] | None,
    times: Path | None,
    free_days: int,
    late_percent: float,
) -> Policy:
    lateness = read_lateness(times, number, free_days=free_days, percent=late_percent) if times else None
    if (free_days or late_percent) and not lateness:
        raise GradingError("late days need --times: a CSV file with the columns student, due and submitted")
    return Policy(frozenset(drop or ()), frozenset(extra or ()), lateness)


def _marks(results: Path, number: int, policy: Policy, section: str | None) -> Marks:
    counted = marks(chapter_of(number), Results(results, number).all(section), policy)
    untimed = [mark.student for mark in counted if policy.lateness and not mark.late]
    if untimed:
        errors.print(Text(f"Not in the file of times, and counted as on time: {', '.join(untimed)}", style="yellow"))
    return counted
