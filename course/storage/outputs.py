"""Writes what commands output: numbers, tables, pictures and texts, each file atomically."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from course.storage.atomic import atomic_file

if TYPE_CHECKING:  # figures take seconds to import, and most outputs have none
    from course.plots import Picture


def write_json(path: Path, content: Any) -> None:
    """Writes plain values as JSON."""
    write_text(path, json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def write_table(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Writes rows as CSV. All rows must have the columns of the first one."""
    with atomic_file(path) as draft, draft.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]) if rows else [])
        writer.writeheader()
        writer.writerows(rows)


def write_picture(path: Path, picture: Picture) -> None:
    """Writes an image, with its alternative text in its metadata and in a .txt file of the same name."""
    with atomic_file(path) as draft:
        picture.figure.savefig(draft, dpi=144, metadata={"Description": picture.alt})
    write_text(path.with_suffix(".txt"), picture.alt + "\n")


def write_text(path: Path, text: str) -> None:
    """Writes a text in UTF-8."""
    with atomic_file(path) as draft:
        draft.write_text(text, encoding="utf-8", newline="\n")
