"""A part of an index as a file, and what the files of an index are called."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from course.applications.search.array_file import MOST_OPEN, map_arrays, reading, save_arrays
from course.applications.search.packed_texts import PackedTexts
from course.applications.search.part import Part

# Of a part; or beside it, with the fingerprint of an encoder, of the vectors of its documents or the graph of these.
_NAME = re.compile(r"[0-9a-f]{32}(\.[0-9a-f]{16}(\.graph)?)?\.safetensors")
_PACKED = ("words", "stored")
_PLAIN = ("starts", "documents", "counts", "lengths")


def part_path(folder: Path, name: str) -> Path:
    """Where the part of a name is; a name has 32 digits, of which a hash is written."""
    return folder / f"{name}.safetensors"


def vectors_path(part: Path, fingerprint: str) -> Path:
    """Where the vectors are that an encoder makes of a part's documents."""
    return part.with_name(f"{part.stem}.{fingerprint}.safetensors")


def graph_path(part: Path, fingerprint: str) -> Path:
    """Where the graph of these vectors is, by which the nearest ones are found."""
    return part.with_name(f"{part.stem}.{fingerprint}.graph.safetensors")


def files_in(folder: Path) -> list[Path]:
    """All files that may be of an index, by their names, but for its list."""
    return [path for path in folder.iterdir() if _NAME.fullmatch(path.name)] if folder.is_dir() else []


def parts_in(folder: Path) -> list[Path]:
    """Those of them that may be parts."""
    return [path for path in files_in(folder) if "." not in path.stem]


def save_part(path: Path, part: Part) -> None:
    """Writes a part, whole or not at all.

    Raises:
        CourseError: it cannot be written.
    """
    arrays = {name: getattr(part, name) for name in _PLAIN}
    for name in _PACKED:
        texts = getattr(part, name)
        arrays |= {f"{name}.letters": texts.letters, f"{name}.starts": texts.starts}
    save_arrays(path, arrays)


@lru_cache(MOST_OPEN)
def open_part(path: Path) -> Part:
    """Maps a part into memory. The name of a part's file says what is in it, so that one is opened only once.

    Raises:
        CourseError: it is not there, or is no part.
    """
    with reading(path):
        arrays = map_arrays(path)
        fields: dict[str, Any] = {name: arrays[name] for name in _PLAIN}
        for name in _PACKED:
            fields[name] = PackedTexts(arrays[f"{name}.letters"], arrays[f"{name}.starts"])
        return Part(**fields)
