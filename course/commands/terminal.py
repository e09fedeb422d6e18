"""The streams that commands write to: results to `output`, progress and problems to `errors`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

# Show names of files and texts unchanged: "[old]" is not a style there, and ":cat:" not an emoji.
output = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
errors = Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)


def counted(number: int, thing: str) -> str:
    """Return a number with its noun: "1 document", "2,000 documents"."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def say_skipped(files: Sequence[Path]) -> None:
    """Print how many files of each kind were skipped because they cannot be read, if there are any."""
    if files:
        kinds = Counter(file.suffix.lower() or file.name for file in files).most_common(5)
        named = ", ".join(f"{count:,} {kind}" for kind, count in kinds)
        errors.print(f"Files of other kinds, not read: {len(files):,} ({named}), such as {files[0]}.")
