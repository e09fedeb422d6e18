"""python -m grading grade: grade a folder of submissions."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from grading.commands.options import Compare, From, Jobs, Regrade, Scheduler, Section, Submissions, WithoutIsolation
from grading.terminal import output, progress_bar

if TYPE_CHECKING:
    from grading.classroom.records import Records
    from grading.classroom.results import Results
    from grading.classroom.submission_record import SubmissionRecord


def grade(
    submissions: Submissions,
    to: Annotated[Path, typer.Option(help="The folder for results. Submissions already graded there are skipped.")],
    *,
    chapter: Annotated[int | None, typer.Option(help="The chapter; by default, that of most notebooks.")] = None,
    jobs: Jobs = None,
    scheduler: Scheduler = None,
    regrade: Regrade = None,
    system: From = None,
    roster: Annotated[Path | None, typer.Option(help="A CSV file with id, name, e-mail, section.")] = None,
    section: Section = None,
    compare: Compare = None,
    without_isolation: WithoutIsolation = False,
) -> None:
    """Grades a class: writes the results, grades.csv, a page for each student and one for you.

    You can interrupt it at any time; the same command resumes where it stopped. A regrade starts again.
    """
    from grading.classroom.earlier import require_results
    from grading.classroom.results import Results
    from grading.classroom.run import likeliest_chapter
    from grading.commands.publishing import publish
    from grading.exercises.registry import chapter as chapter_of

    require_results(compare or ())
    number = likeliest_chapter(submissions, system) if chapter is None else chapter_of(chapter).number
    results = Results(to, number)
    records = graded(
        submissions,
        results,
        without_isolation=without_isolation,
        jobs=jobs,
        scheduler=scheduler,
        regrade=regrade or (),
        system=system,
        roster=roster,
        section=section,
    )
    publish(results, records, compare=compare or ())
    say_set_aside(results)


def graded(submissions: Path, results: Results, *, system: str | None, **options: Any) -> Records:
    """Say what is found, and grade it with a progress bar.

    Args:
        options: see `grade_class`.
    """
    from grading.classroom.run import grade_class
    from grading.submission import find

    # As in the sandbox; it has to be set before TensorFlow is imported.
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
    for line in find(submissions, system).sentences():
        output.print(Text(line))
    with progress_bar() as progress:
        task = progress.add_task(f"Grading chapter {results.chapter}", total=None)

        def advance(record: SubmissionRecord, done: int, total: int) -> None:
            progress.update(task, completed=done, total=total, description=f"Graded {record['student']}")

        def tell(sentence: str) -> None:
            output.print(Text(sentence, "yellow"))

        return grade_class(submissions, results, system=system, progress=advance, tell=tell, **options)


def say_set_aside(results: Results) -> None:
    """Name the records that do not count, because their submissions are gone."""
    from grading.classroom.enrolment import some_of

    if names := results.set_aside():
        output.print(Text(f"Graded before and gone now, so kept but not counted ({len(names)}): {some_of(names)}"))
