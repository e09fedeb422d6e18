"""python -m grading release: write a chapter's bundle, without answers."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import TaskID

from grading.commands.options import Language, Project, Shown, WhenShown
from grading.errors import GradingError
from grading.languages import ENGLISH, require_language
from grading.storage.project import PROJECT
from grading.terminal import output, progress_bar


class _System(StrEnum):
    GRADESCOPE = "gradescope"
    PRAIRIELEARN = "prairielearn"
    CLASSROOM50 = "classroom50"
    GITHUB = "github"


def release(
    to: Annotated[Path, typer.Option(help="The folder to make. A zip file of the same name is written beside it.")],
    chapter: Annotated[
        int | None, typer.Argument(help="The chapter; all by default, each in its own folder in --to.")
    ] = None,
    system: Annotated[
        _System | None, typer.Option("--for", help="The system that is to check or grade the chapter by itself.")
    ] = None,
    shown: WhenShown = Shown.VISIBLE,
    language: Language = ENGLISH,
    project: Project = PROJECT,
) -> None:
    """Writes the bundle that students get: a chapter's notebook, and the library and the checks without any answer.

    If you name no chapter, it writes the bundles of all chapters, each in its own folder in --to. With --for, it writes
    what that system takes: for gradescope and prairielearn the whole grader, for github and classroom50 the bundle.
    """
    from grading.exercises.registry import chapters
    from grading.release import bundle_contents, release_for, workers
    from grading.release import release as write_release

    if shown is not Shown.VISIBLE and system is not _System.GRADESCOPE:
        raise GradingError("only Gradescope shows results later; use --shown with --for gradescope")

    code = require_language(language)
    every = {number: to / one.slug for number, one in chapters().items()}
    folders = every if chapter is None else {chapter: to}
    with workers() as executor, progress_bar() as progress:
        for number, folder in folders.items():
            task = progress.add_task(f"Running the checks of chapter {number}", total=None)

            def advance(done: int, of: int, task: TaskID = task) -> None:
                progress.update(task, completed=done, total=of)

            if system:
                bundle = partial(bundle_contents, number, executor, advance, project, code)
                release_for(system, number, folder, shown, bundle, project, code)
            else:
                write_release(number, folder, executor, advance, project, code)
            progress.remove_task(task)
            output.print(f"{folder} and {folder.name}.zip: written", style="green")
