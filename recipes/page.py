"""README.md: each recipe writes its own section of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from course.evaluation.baseline import points
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


def gain_of(gain: Sequence[float], row: str) -> str:
    """A gain in points with its interval, and how it was compared.

    Args:
        gain: from `paired_difference` of the mean of the seeds; or from `unpaired_difference`, and then a fourth
            number, 0.
        row: what is compared, such as "article".
    """
    difference, low, high = gain[:3]
    how = f"paired by {row}" if len(gain) == 3 else f"not paired by {row}; paired, the interval would be narrower"
    return f"{points(difference, low, high)}, mean of the seeds, {how}"


def unpaired_difference(share: float, other: float, count: int) -> tuple[float, float, float, int]:
    """The difference of two accuracies of which only the shares are known, for `gain_of`.

    Two classifiers often err on the same rows, so the interval of a paired comparison would be narrower.
    """
    margin = 1.959964 * math.sqrt((share * (1 - share) + other * (1 - other)) / count)
    return share - other, share - other - margin, share - other + margin, 0


def between(interval: Sequence[float]) -> str:
    """An interval of shares, such as "90.00% to 92.00%"."""
    return f"{interval[0]:.2%} to {interval[1]:.2%}"
