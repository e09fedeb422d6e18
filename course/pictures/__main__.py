"""Draws the lessons' pictures again, each with its alternative text in a file beside it."""

from __future__ import annotations

from pathlib import Path

from course.pictures import DRAWINGS
from course.pictures.storing import store

_FOLDER = Path(__file__).parents[2] / "notebooks" / "source" / "pictures"

if __name__ == "__main__":
    for name, draw in DRAWINGS.items():
        store(draw(), _FOLDER / f"{name}.png")
        print(_FOLDER / f"{name}.png")
