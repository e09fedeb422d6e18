"""README.md: each recipe writes its own section of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from course.storage.outputs import write_text


def keep_section(page: Path, section: str) -> None:
    """Writes a section into the page, and creates the page if it is missing."""
    text = page.read_text(encoding="utf-8") if page.exists() else "# Recipes\n"
    write_text(page, with_section(text, section))


def with_section(text: str, section: str) -> str:
    """The text of a page with a section in place of the one with the same title, or else at the end.

    Args:
        text: the text of the page.
        section: lines of which only the first, the title, begins with "## ".
    """
    head, *sections = text.split("\n## ")
    by_title = {old.partition("\n")[0]: old for old in sections}
    title, _, rest = section.removeprefix("## ").partition("\n")
    by_title[title] = f"{title}\n{rest}"
    return "\n\n## ".join(part.rstrip("\n") for part in (head, *by_title.values())) + "\n"


def between(interval: Sequence[float]) -> str:
    """An interval of shares, such as "90.00% to 92.00%"."""
    return f"{interval[0]:.2%} to {interval[1]:.2%}"
