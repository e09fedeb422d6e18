"""The streams that commands write to: results to `output`, progress and problems to `errors`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)

# Show names of files and texts unchanged: "[old]" is not a style there, and ":cat:" not an emoji.
output = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
errors = Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)


def counted(number: int, thing: str) -> str:
    """Return a number with its noun: "1 document", "2,000 documents"."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def progress_bar(*fields: str, counts: bool = False, disable: bool = False) -> Progress:
    """Return a progress bar on `errors` with the time left, and further columns for these fields of a task.

    Args:
        fields: their names. The task begins with them: `add_task(..., speed="")`.
        counts: whether it shows how many are done, of how many, instead of a percentage.
        disable: whether it shows nothing.
    """
    columns: list[ProgressColumn] = [
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn() if counts else TaskProgressColumn(),
        TimeRemainingColumn(),
    ]
    columns += [TextColumn(f"{{task.fields[{field}]}}", markup=False) for field in fields]
    return Progress(*columns, console=errors, disable=disable)


def say_skipped(files: Sequence[Path]) -> None:
    """Print how many files of each kind were skipped because they cannot be read, if there are any."""
    if files:
        kinds = Counter(file.suffix.lower() or file.name for file in files).most_common(5)
        named = ", ".join(f"{count:,} {kind}" for kind, count in kinds)
        errors.print(f"Files of other kinds, not read: {len(files):,} ({named}), such as {files[0]}.")
