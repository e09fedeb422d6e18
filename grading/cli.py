"""The commands of `python -m grading`. Each only reads its arguments and says what came of it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from grading.classroom.enrolment import sentences
from grading.classroom.grader import SubmissionRecord
from grading.classroom.records import Records, outline
from grading.classroom.results import Results, only_chapter
from grading.classroom.run import grade_class, likeliest_chapter
from grading.classroom.similarity import alike, starter_fingerprints
from grading.errors import GradingError
from grading.exercises import registry
from grading.gradebook import marks, plain_csv
from grading.gradebook.commands import GradedChapter, GradedResults, Section, export, gradebook
from grading.judging.audit import audit as audit_chapter
from grading.lessons.build import build as build_lesson
from grading.lessons.lesson import find_lessons, read_lesson
from grading.lessons.verify import Finding, verify, verify_lesson
from grading.notebook.self_check import check_notebook
from grading.release import release as write_release
from grading.report.pages import write_pages
from grading.report.table import audit_table, class_table
from grading.storage.files import write_file
from grading.storage.project import PROJECT
from grading.submission import find
from grading.terminal import errors, output, progress_bar

app = typer.Typer(
    help="Builds the course's notebooks, releases its chapters and grades what comes back.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
_Project = Annotated[Path, typer.Option(help="The folder that holds course, grading and notebooks.")]


@app.command()
def build(
    lessons: Annotated[list[Path] | None, typer.Argument(help="Lessons to build; all by default.")] = None,
    *,
    check: Annotated[
        bool,
        typer.Option("--verify", help="Write nothing; say whether the notebooks are what the lessons give."),
    ] = False,
    execute: Annotated[bool, typer.Option(help="Execute the solved notebooks.")] = True,
    force: Annotated[bool, typer.Option("--force", help="Build what is up to date, too.")] = False,
    project: _Project = PROJECT,
) -> None:
    """Makes the student notebooks and the solved, executed ones from the lessons."""
    to = project / "notebooks"
    if check:
        _report(verify(to / "source", to, project))
        return
    for path in lessons or [lesson.path for lesson in find_lessons(to / "source")]:
        if not force and not verify_lesson(read_lesson(path), to, project):
            output.print(f"{path.stem}: up to date")
            continue
        build_lesson(path, to, execute, project)
        output.print(f"{path.stem}: built", style="green")


@app.command()
def release(
    chapter: Annotated[int, typer.Argument(help="The chapter's number.")],
    to: Annotated[Path, typer.Option(help="The folder to make; a zip file of its name is made beside it.")],
    project: _Project = PROJECT,
) -> None:
    """Writes what students get: a chapter's notebook, and the library and the checks without any answer."""
    with errors.status(f"Running the checks of chapter {chapter} once, to keep what they expect"):
        write_release(chapter, to, project)
    output.print(f"{to} and {to.name}.zip: written", style="green")


@app.command()
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


@app.command()
def report(
    results: GradedResults,
    chapter: GradedChapter = None,
    section: Section = None,
) -> None:
    """Writes the pages and grades.csv again from results that are there, without grading."""
    found = Results(results, chapter or only_chapter(results))
    publish(found, found.all(section))


app.command()(export)
app.command()(gradebook)


@app.command()
def check(
    notebook: Annotated[Path, typer.Argument(help="Your notebook.")],
) -> None:
    """Checks your own notebook as the grader will, in this process. The exit code says whether all is right."""
    cards = check_notebook(notebook)
    for card in cards:
        output.print(Text(card.text()))
    raise typer.Exit(0 if all(card.result["passed"] for card in cards) else 1)


@app.command()
def audit(
    chapter: Annotated[int | None, typer.Option(help="The chapter; all by default.")] = None,
) -> None:
    """Feeds every known mistake to the grader, and says how many lose points and how many are named."""
    wanted = [registry.chapter(chapter)] if chapter else list(registry.chapters().values())
    with errors.status("Making every known mistake"):
        rows = [row for of in wanted for row in audit_chapter(of)]
    output.print(audit_table(rows))
    if any(row.caught < row.mistakes for row in rows):
        raise typer.Exit(1)


def publish(results: Results, records: Records) -> None:
    """Writes a class's pages and its table, and shows the table."""
    of = registry.chapter(results.chapter)
    outlines = [outline(record) for record in records]
    write_file(results.folder / "grades.csv", plain_csv(of, marks(of, outlines)))
    solutions = {record["student"]: record["fingerprints"] for record in outlines}
    index = write_pages(results.folder, of, records, alike(solutions, starter_fingerprints(of)))
    output.print(class_table(of, outlines))
    for line in sentences(outlines):
        output.print(Text(line))
    output.print(f"{index}: open it in a browser", style="green")


def _report(findings: list[Finding]) -> None:
    for finding in findings:
        errors.print(Text(f"{finding.path} {finding.reason}", style="red"))
        for line in finding.diff:
            errors.print(Text(f"    {line}"))
    if findings:
        errors.print(Text("Run `python -m grading build` and commit what it writes.", style="red"))
        raise typer.Exit(1)
    output.print("The notebooks are what the lessons give.", style="green")


def main() -> None:
    """Runs a command. What the person at the keyboard can mend is said in one clear line."""
    try:
        app()
    except GradingError as error:
        errors.print(Text(f"Error: {error}", style="red"))
        sys.exit(1)
