"""Runs a command in this process."""

from __future__ import annotations

from typer.testing import CliRunner, Result

from course.cli import app


def run(*arguments: object, typed: str | bytes | None = None, columns: int = 200) -> Result:
    """Run `python -m course` with these arguments, with `typed` on the standard input."""
    return CliRunner().invoke(app, [*map(str, arguments)], input=typed, env={"COLUMNS": str(columns)})
