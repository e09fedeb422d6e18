"""Right solutions in many styles, each a file that reads like a student's cell.

`<chapter>/solutions/<exercise>/<style>.py`. None of them is ever imported or released: the grader gets their text.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Solution:
    """A right solution.

    Attributes:
        name: the exercise, and what the source defines.
        style: what is particular about it.
        source: what a student would have written in the cell.
    """

    name: str
    style: str
    source: str


def _solutions(folder: Path) -> list[Solution]:
    return [Solution(folder.name, path.stem, path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.py"))]


SOLUTIONS: dict[str, list[Solution]] = {
    folder.name: _solutions(folder) for folder in sorted(Path(__file__).parent.glob("*/solutions/*"))
}
