"""The page for people: each recipe writes its own part of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from course.storage.outputs import write_text


def keep_section(page: Path, section: str) -> None:
    """Puts a part into the page: in place of the one with the same title, or at the end.

    Args:
        page: the file; it is begun where it is not there.
        section: lines of which the first one alone begins with "## ": the title.
    """
    text = page.read_text(encoding="utf-8") if page.exists() else "# Recipes\n"
    head, *sections = text.split("\n## ")
    kept = {one.partition("\n")[0]: one for one in sections}
    title, _, rest = section.removeprefix("## ").partition("\n")
    kept[title] = f"{title}\n{rest}"
    write_text(page, "\n\n## ".join(one.rstrip("\n") for one in (head, *kept.values())) + "\n")


def between(interval: Sequence[float]) -> str:
    """An interval of shares, in words."""
    return f"{interval[0]:.2%} to {interval[1]:.2%}"
