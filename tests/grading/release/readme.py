"""The commands of a bundle's README."""

from __future__ import annotations

import re


def commands(readme: str, heading: str) -> list[str]:
    """Return the lines of code below a heading in bold, as a reader types them."""
    (code,) = re.findall(rf"^\*\*{heading}\b[\s\S]*?\n\n((?:    .+\n)+)", readme, re.MULTILINE)
    return [line.removeprefix("    ") for line in code.splitlines()]
