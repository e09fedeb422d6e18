"""The paths of a recipe's outputs and of its stored results."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

RESULTS = Path(__file__).parent / "ag_news.json"
OBJECTIVES = Path(__file__).parent / "ag_news_objectives.json"
PAGE = Path(__file__).parent / "README.md"


@dataclass(frozen=True)
class Paths:
    """The folder of a run, and the paths in it."""

    folder: Path

    @property
    def corpus(self) -> Path:
        return self.folder / "corpus"

    @property
    def encoder(self) -> Path:
        return self.folder / "encoder"

    @property
    def pretrained(self) -> Path:
        return self.folder / "pretrained"

    @property
    def fresh(self) -> Path:
        return self.folder / "fresh"

    @property
    def times(self) -> Path:
        return self.folder / "times.json"
