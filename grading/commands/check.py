"""python -m grading check: check your own notebook before you submit it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from grading.terminal import output


def check(
    notebook: Annotated[Path, typer.Argument(help="Your notebook.")],
) -> None:
    """Checks your own notebook as the grader will, in this process. The exit code is 0 if every exercise passes."""
    from grading.student_kernel.self_check import check_notebook

    cards = check_notebook(notebook)
    for card in cards:
        output.print(Text(card.text()))
    raise typer.Exit(0 if all(card.result["passed"] for card in cards) else 1)
