"""python -m grading release: a chapter without its answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grading.commands.options import Project
from grading.storage.project import PROJECT
from grading.terminal import errors, output


def release(
    chapter: Annotated[int, typer.Argument(help="The chapter's number.")],
    to: Annotated[Path, typer.Option(help="The folder to make; a zip file of its name is made beside it.")],
    project: Project = PROJECT,
) -> None:
    """Writes what students get: a chapter's notebook, and the library and the checks without any answer."""
    from grading.release import release as write_release

    with errors.status(f"Running the checks of chapter {chapter} once, to keep what they expect"):
        write_release(chapter, to, project)
    output.print(f"{to} and {to.name}.zip: written", style="green")
