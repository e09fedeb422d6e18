"""python -m grading gradebook: write marks to nbgrader's gradebook."""

from __future__ import annotations

import shlex
import sysconfig
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from grading.commands.options import (
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
from grading.terminal import errors, output, progress_bar


def gradebook(
    results: GradedResults,
    course: Annotated[Path, typer.Option(help="nbgrader's course folder.")],
    *,
    submissions: Annotated[
        Path | None,
        typer.Option(help="The submissions, whose code formgrader shows; by default, it shows that of the run before."),
    ] = None,
    database: Annotated[
        str | None, typer.Option(help="The gradebook's address; by default gradebook.db in the course.")
    ] = None,
    only: Annotated[
        str | None,
        typer.Option(help="The only exercise to write, for all students; give the same other options as before."),
    ] = None,
    chapter: GradedChapter = None,
    drop: Drop = None,
    extra: Extra = None,
    due: Due = None,
    times: Times = None,
    free_days: FreeDays = 0,
    late_percent: LatePercent = 0.0,
    section: Section = None,
) -> None:
    """Writes the marks to nbgrader's gradebook, where formgrader shows them.

    Marks and comments that people gave are never changed.
    """
    from grading.classroom.reasons import to_look_at
    from grading.classroom.results import Results, graded_chapter
    from grading.commands.counting import counted_marks, policy_of
    from grading.commands.publishing import reasons_to_look
    from grading.exercises.registry import chapter as chapter_of
    from grading.gradebook import marks
    from grading.gradebook.course_folder import handed_in, is_news, released_notebook, write_course
    from grading.gradebook.database import open_database

    number = graded_chapter(results, chapter)
    of = chapter_of(number)
    of.require([only] if only else [])
    policy = policy_of(results, number, section, drop, extra, times, free_days, late_percent, due)
    counted = counted_marks(results, number, policy, section)
    course.mkdir(parents=True, exist_ok=True)
    address = database or f"sqlite:///{course.resolve() / 'gradebook.db'}"
    notebook = released_notebook(of)
    stored = Results(results, number)
    reasons = reasons_to_look(of, stored.all(), results)
    with open_database(address, of, notebook, policy, only) as opened, progress_bar() as progress:
        for mark in progress.track(counted, description="Writing marks"):
            some = reasons.get(mark.student, [])
            look_at = to_look_at(some, [*of.exercises]) if is_news(course, of, mark.login, some) else None
            opened.write_mark(mark, handed_in(course, of, mark), look_at)
        gone = opened.submitters() - {mark.login for mark in marks(of, stored.all()) if not mark.is_missing}
    write_course(course, of, notebook, counted, submissions, reasons, only)
    if gone:
        said = "Without a submission in the results, so their marks in the gradebook stay as they were"
        errors.print(Text(f"{said}: {', '.join(sorted(gone))}", style="yellow"))
    output.print(f"{course}: {len(counted)} students. To open it with nbgrader's formgrader:", style="green")
    output.print(Text(f"    cd {shlex.quote(str(course.resolve()))}"))
    output.print(Text(f"    {shlex.quote(_jupyter())} lab --LabApp.default_url=/formgrader"))


def _jupyter() -> str:
    """The `jupyter` of this Python's environment, where nbgrader is installed, too."""
    return str(Path(sysconfig.get_path("scripts")) / "jupyter")
