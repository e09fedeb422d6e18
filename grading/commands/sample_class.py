"""python -m grading sample-class: write notebooks to try the grader on."""

from __future__ import annotations

from typing import Annotated

import typer

from grading.terminal import output


def sample_class(
    chapter: Annotated[int | None, typer.Argument(help="The chapter; all by default.")] = None,
) -> None:
    """Writes the submissions of a chapter's sample class, and prints their folder."""
    from grading.exercises.registry import chosen
    from grading.sample_class.make import submissions

    for of in chosen(chapter):
        output.print(str(submissions(of.number)), markup=False, soft_wrap=True)
