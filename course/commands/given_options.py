"""Which options the command line has, to refuse those that would change nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from course.errors import CourseError


def given_options(context: typer.Context, names: Sequence[str]) -> list[str]:
    """Return the options on the command line, such as "--from", of those parameters of the command."""
    return [
        param.opts[0]
        for param in context.command.params
        if param.name in names and getattr(context.get_parameter_source(param.name), "name", None) == "COMMANDLINE"
    ]


def require_untrained(trained: Path, options: Sequence[str], other: str) -> None:
    """Raise a CourseError if there are options for a training that is done already.

    Args:
        trained: what it made.
        options: the options for it on the command line.
        other: what to name for another training.
    """
    if options:
        raise CourseError(
            f"{trained} is trained already, so {', '.join(options)} would change nothing. Leave these options out, or "
            f"name another {other}"
        )
