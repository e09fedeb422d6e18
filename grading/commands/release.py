"""python -m grading release: write a chapter's bundle, without answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import TaskID

from grading.commands.options import Project
from grading.storage.project import PROJECT
from grading.terminal import output, progress_bar


def release(
    to: Annotated[Path, typer.Option(help="The folder to make. A zip file of the same name is written beside it.")],
    chapter: Annotated[
        int | None, typer.Argument(help="The chapter; all by default, each in its own folder in --to.")
    ] = None,
    project: Project = PROJECT,
) -> None:
    """Writes the bundle that students get: a chapter's notebook, and the library and the checks without any answer.

    If you name no chapter, it writes the bundles of all chapters, each in its own folder in --to.
    """
    from grading.exercises.registry import chapters
    from grading.release import release as write_release
    from grading.release import workers

    every = {number: to / one.slug for number, one in chapters().items()}
    folders = every if chapter is None else {chapter: to}
    with workers() as executor, progress_bar() as progress:
        for number, folder in folders.items():
            task = progress.add_task(f"Running the checks of chapter {number}", total=None)

            def advance(done: int, of: int, task: TaskID = task) -> None:
                progress.update(task, completed=done, total=of)

            write_release(number, folder, executor, advance, project)
            progress.remove_task(task)
            output.print(f"{folder} and {folder.name}.zip: written", style="green")
