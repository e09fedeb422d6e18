"""The commands of `python -m grading`. Each only reads its arguments and says what came of it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from grading.errors import GradingError
from grading.lessons.answers import PROJECT
from grading.lessons.build import build as build_lesson
from grading.lessons.lesson import find_lessons, read_lesson
from grading.lessons.verify import Finding, verify, verify_lesson
from grading.release import release as write_release

app = typer.Typer(
    help="Builds the course's notebooks, releases its chapters and grades what comes back.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
_output = Console(highlight=False, soft_wrap=True)
_errors = Console(stderr=True, highlight=False, soft_wrap=True)

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
            _output.print(f"{path.stem}: up to date")
            continue
        build_lesson(path, to, execute, project)
        _output.print(f"{path.stem}: built", style="green")


@app.command()
def release(
    chapter: Annotated[int, typer.Argument(help="The chapter's number.")],
    to: Annotated[Path, typer.Option(help="The folder to make; a zip file of its name is made beside it.")],
    project: _Project = PROJECT,
) -> None:
    """Writes what students get: a chapter's notebook, and the library and the checks without any answer."""
    with _errors.status(f"Running the checks of chapter {chapter} once, to keep what they expect"):
        write_release(chapter, to, project)
    _output.print(f"{to} and {to.name}.zip: written", style="green")


def _report(findings: list[Finding]) -> None:
    for finding in findings:
        _errors.print(Text(f"{finding.path} {finding.reason}", style="red"))
        for line in finding.diff:
            _errors.print(Text(f"    {line}"))
    if findings:
        _errors.print(Text("Run `python -m grading build` and commit what it writes.", style="red"))
        raise typer.Exit(1)
    _output.print("The notebooks are what the lessons give.", style="green")


def main() -> None:
    """Runs a command. What the person at the keyboard can mend is said in one clear line."""
    try:
        app()
    except GradingError as error:
        _errors.print(Text(f"Error: {error}", style="red"))
        sys.exit(1)
