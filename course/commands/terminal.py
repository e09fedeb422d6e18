"""Where commands write: what came of them to one stream, and how it goes and what went wrong to the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

# Names of files and texts are shown as they are: "[old]" is no style there, and ":cat:" no picture.
output = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
errors = Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)


def counted(number: int, thing: str) -> str:
    """So many things: "1 document", "2,000 documents"."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def say_skipped(files: Sequence[Path]) -> None:
    """Names files that are of no kind that can be read, by how many there are of each; nothing where there are none."""
    if files:
        kinds = Counter(file.suffix.lower() or file.name for file in files).most_common(5)
        named = ", ".join(f"{count:,} {kind}" for kind, count in kinds)
        errors.print(f"Files of other kinds, not read: {len(files):,} ({named}), such as {files[0]}.")
