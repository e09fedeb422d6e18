"""python -m grading release: a chapter without its answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import TaskID

from grading.commands.options import Project
from grading.storage.project import PROJECT
from grading.terminal import output, progress_bar


def release(
    to: Annotated[Path, typer.Option(help="The folder to make; a zip file of its name is made beside it.")],
    chapter: Annotated[int | None, typer.Argument(help="The chapter's number; without it, all chapters.")] = None,
    project: Project = PROJECT,
) -> None:
    """Write what students get: a chapter's notebook, and the library and the checks without any answer.

    Without a chapter, the bundles of all chapters, each in a folder of its own in the one that you name.
    """
    from grading.exercises.registry import chapters
    from grading.release import release as write_release
    from grading.release import workers

    every = {number: to / one.slug for number, one in chapters().items()}
    folders = every if chapter is None else {chapter: to}
    with workers() as executor, progress_bar() as progress:
        for number, folder in folders.items():
            task = progress.add_task(f"Running the checks of chapter {number}", total=None)

            def seen(done: int, of: int, task: TaskID = task) -> None:
                progress.update(task, completed=done, total=of)

            write_release(number, folder, executor, seen, project)
            progress.remove_task(task)
            output.print(f"{folder} and {folder.name}.zip: written", style="green")
