"""python -m grading gradebook: marks in nbgrader's gradebook."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grading.commands.options import Drop, Extra, FreeDays, GradedChapter, GradedResults, LatePercent, Section, Times
from grading.terminal import output, progress_bar


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
    drop: Drop = None,
    extra: Extra = None,
    times: Times = None,
    free_days: FreeDays = 0,
    late_percent: LatePercent = 0.0,
    section: Section = None,
) -> None:
    """Writes the marks to nbgrader's gradebook, where formgrader shows them.

    Marks and comments that people gave are never touched.
    """
    from grading.classroom.results import only_chapter
    from grading.commands.counting import counted_marks, policy_of
    from grading.exercises.registry import chapter as chapter_of
    from grading.gradebook.course_folder import handed_in, released_notebook, write_course
    from grading.gradebook.database import open_database

    number = chapter or only_chapter(results)
    of = chapter_of(number)
    of.require([only] if only else [])
    policy = policy_of(number, drop, extra, times, free_days, late_percent)
    counted = counted_marks(results, number, policy, section)
    course.mkdir(parents=True, exist_ok=True)
    address = database or f"sqlite:///{course.resolve() / 'gradebook.db'}"
    notebook = released_notebook(of)
    with open_database(address, of, notebook, policy) as opened, progress_bar() as progress:
        for mark in progress.track(counted, description="Writing marks"):
            opened.write_mark(mark, only, handed_in(course, of, mark.login))
    write_course(course, of, notebook, counted, submissions)
    output.print(f"{course}: {len(counted)} students; open it with nbgrader's formgrader", style="green")
