"""python -m grading sample-class: notebooks to try the grader on."""

from __future__ import annotations

from typing import Annotated

import typer

from grading.terminal import output


def sample_class(
    chapter: Annotated[int | None, typer.Argument(help="Of one chapter; of all by default.")] = None,
) -> None:
    """Writes what the students of a chapter's sample class hand in, and says where."""
    from grading.exercises import registry
    from grading.sample_class.make import submissions

    numbers = list(registry.chapters()) if chapter is None else [registry.chapter(chapter).number]
    for number in numbers:
        output.print(str(submissions(number)), markup=False, soft_wrap=True)
