"""python -m grading build: make notebooks from lessons."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from grading.commands.options import Language, Project
from grading.languages import ENGLISH, require_language
from grading.storage.project import PROJECT
from grading.terminal import errors, output

if TYPE_CHECKING:
    from grading.lessons.verify import Finding


def build(
    lessons: Annotated[list[Path] | None, typer.Argument(help="Lessons to build; all by default.")] = None,
    *,
    check: Annotated[
        bool,
        typer.Option("--verify", help="Write nothing; check that the notebooks match the lessons."),
    ] = False,
    execute: Annotated[
        bool,
        typer.Option(help="Execute the solved notebooks. If not executed, outputs stay where only text changed."),
    ] = True,
    force: Annotated[
        bool, typer.Option("--force", help="Rebuild notebooks that are up to date, too, and those in which you worked.")
    ] = False,
    language: Language = ENGLISH,
    project: Project = PROJECT,
) -> None:
    """Makes the student notebooks, and the solved and executed ones, from the lessons.

    Notebooks in another language than English go to `build/notebooks`, with the outputs of the English ones. A student
    notebook in which you have run a cell or written an exercise stays as it is.
    """
    from grading.lessons.build import build as build_lesson
    from grading.lessons.build import build_in, has_work, student_path
    from grading.lessons.lesson import find_lessons, read_lesson
    from grading.lessons.verify import verify, verify_lesson

    to = project / "notebooks"
    if check:
        _report(verify(to / "source", to, project))
        return
    code = require_language(language)
    folder = to if code == ENGLISH else project / "build" / "notebooks" / code
    for path in lessons or [lesson.path for lesson in find_lessons(to / "source")]:
        lesson = read_lesson(path)
        student = student_path(lesson, folder)
        keep = not force and has_work(student)
        if keep:
            errors.print(
                Text(f"{student} has your work and stays; `grading build --force {path}` replaces it", "yellow")
            )
        if code != ENGLISH:
            build_in(code, lesson, folder, project, keep_student=keep)
            output.print(f"{student}: built", style="green")
        elif force or any(not keep or found.path != student for found in verify_lesson(lesson, to, project)):
            build_lesson(path, to, execute, project, keep_student=keep)
            output.print(f"{path.stem}: built", style="green")
        else:
            output.print(f"{path.stem}: up to date")


def _report(findings: list[Finding]) -> None:
    for finding in findings:
        errors.print(Text(f"{finding.path} {finding.reason}", style="red"))
        for line in finding.diff:
            errors.print(Text(f"    {line}"))
    if findings:
        errors.print(Text("Run `python -m grading build` and commit what it writes.", style="red"))
        raise typer.Exit(1)
    output.print("The notebooks match the lessons.", style="green")
