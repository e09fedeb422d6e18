"""python -m grading grade: a folder of submissions to results."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from grading.commands.options import Section
from grading.terminal import output, progress_bar

if TYPE_CHECKING:
    from grading.classroom.grader import SubmissionRecord


def grade(
    submissions: Annotated[Path, typer.Argument(help="What was handed in: a folder or zip, as your system gives it.")],
    to: Annotated[Path, typer.Option(help="The folder of results. What it holds already is not graded again.")],
    *,
    chapter: Annotated[int | None, typer.Option(help="The chapter; by default, the one most notebooks are of.")] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Submissions at a time; one for each processor.")] = None,
    scheduler: Annotated[
        str | None, typer.Option(help="Grade on the Dask cluster whose scheduler has this address.")
    ] = None,
    regrade: Annotated[
        list[str] | None, typer.Option(help="An exercise to grade again for all; the others keep what they got.")
    ] = None,
    system: Annotated[str | None, typer.Option("--from", help="Whose download it is; recognised by default.")] = None,
    roster: Annotated[Path | None, typer.Option(help="A CSV file with id, name, e-mail, section.")] = None,
    section: Section = None,
    without_isolation: Annotated[
        bool,
        typer.Option("--without-isolation", help="Run submissions unprotected. Only for those you trust as yourself."),
    ] = False,
) -> None:
    """Grades a class: results, grades.csv, a page for each student and one for you.

    Interrupt it whenever you like; the same command goes on where it stopped.
    """
    from grading.classroom.results import Results
    from grading.classroom.run import grade_class, likeliest_chapter
    from grading.commands.publishing import publish
    from grading.submission import find

    # As in the sandbox; it has to be said before TensorFlow is imported.
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
    for line in find(submissions, system).sentences():
        output.print(Text(line))
    results = Results(to, chapter or likeliest_chapter(submissions, system))
    with progress_bar() as progress:
        task = progress.add_task(f"Grading chapter {results.chapter}", total=None)

        def advance(record: SubmissionRecord, done: int, total: int) -> None:
            progress.update(task, completed=done, total=total, description=f"Graded {record['student']}")

        records = grade_class(
            submissions,
            results,
            without_isolation=without_isolation,
            jobs=jobs,
            scheduler=scheduler,
            regrade=regrade or (),
            system=system,
            roster=roster,
            section=section,
            progress=advance,
        )
    publish(results, records)
