"""The page for people: each recipe writes its own part of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from course.storage.outputs import write_text


def keep_section(page: Path, section: str) -> None:
    """Puts a part into the page, which is begun where it is not there."""
    text = page.read_text(encoding="utf-8") if page.exists() else "# Recipes\n"
    write_text(page, with_section(text, section))


def with_section(text: str, section: str) -> str:
    """The text of a page with a part, in place of the one with the same title, or at the end.

    Args:
        text: of the page.
        section: lines of which the first one alone begins with "## ": the title.
    """
    head, *sections = text.split("\n## ")
    kept = {one.partition("\n")[0]: one for one in sections}
    title, _, rest = section.removeprefix("## ").partition("\n")
    kept[title] = f"{title}\n{rest}"
    return "\n\n## ".join(one.rstrip("\n") for one in (head, *kept.values())) + "\n"


def between(interval: Sequence[float]) -> str:
    """An interval of shares, in words."""
    return f"{interval[0]:.2%} to {interval[1]:.2%}"
