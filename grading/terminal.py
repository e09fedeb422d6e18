"""Where commands write: what came of them to the output; progress and trouble beside it."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

output = Console(highlight=False, soft_wrap=True)
errors = Console(stderr=True, highlight=False, soft_wrap=True)


def progress_bar() -> Progress:
    """How many of how many are done, and the time left."""
    # Descriptions hold students' names, in which brackets are no markup.
    description = TextColumn("{task.description}", markup=False)
    return Progress(description, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=errors)
