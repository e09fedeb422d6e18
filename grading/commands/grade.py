"""python -m grading grade: grade a folder of submissions."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from grading.commands.options import Compare, Section
from grading.terminal import output, progress_bar

if TYPE_CHECKING:
    from grading.classroom.submission_record import SubmissionRecord


def grade(
    submissions: Annotated[
        Path, typer.Argument(help="The submissions: a folder or zip file, as your system provides it.")
    ],
    to: Annotated[Path, typer.Option(help="The folder for results. Submissions already graded there are skipped.")],
    *,
    chapter: Annotated[int | None, typer.Option(help="The chapter; by default, that of most notebooks.")] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Submissions graded at a time; by default, one per processor.")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(help="The address of a Dask scheduler, to grade on its cluster.")
    ] = None,
    regrade: Annotated[
        list[str] | None,
        typer.Option(help="An exercise to regrade for all students; other exercises keep their points."),
    ] = None,
    system: Annotated[
        str | None, typer.Option("--from", help="The system it was downloaded from; recognised by default.")
    ] = None,
    roster: Annotated[Path | None, typer.Option(help="A CSV file with id, name, e-mail, section.")] = None,
    section: Section = None,
    compare: Compare = None,
    without_isolation: Annotated[
        bool,
        typer.Option("--without-isolation", help="Run submissions without a sandbox. Only for code you fully trust."),
    ] = False,
) -> None:
    """Grades a class: writes the results, grades.csv, a page for each student and one for you.

    You can interrupt it at any time; the same command resumes where it stopped.
    """
    from grading.classroom.earlier import require_results
    from grading.classroom.results import Results
    from grading.classroom.run import grade_class, likeliest_chapter
    from grading.commands.publishing import publish
    from grading.submission import find

    require_results(compare or ())
    # As in the sandbox; it has to be set before TensorFlow is imported.
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
    publish(results, records, compare=compare or ())
