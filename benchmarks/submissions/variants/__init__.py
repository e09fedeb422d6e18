"""Right solutions in many styles, each a file that reads like a student's cell.

`<module of the chapter>/<exercise>/<style>.py`. None of them is ever imported: the grader gets their text.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Variant:
    """A right solution.

    Attributes:
        name: the exercise, and what the source defines.
        style: what is particular about it.
        source: what a student would have written in the cell.
    """

    name: str
    style: str
    source: str


def _variants(folder: Path) -> list[Variant]:
    return [Variant(folder.name, path.stem, path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.py"))]


VARIANTS: dict[str, list[Variant]] = {
    folder.name: _variants(folder) for folder in sorted(Path(__file__).parent.glob("*/*")) if any(folder.glob("*.py"))
}
