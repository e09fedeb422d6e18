"""A part of an index as a file, and the names of an index's files."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from course.applications.search.array_file import MOST_OPEN, map_arrays, reading, save_arrays
from course.applications.search.packed_texts import PackedTexts
from course.applications.search.part import Part

# A part has a name alone. Its vectors add the fingerprint of their encoder, and the graph of these adds ".graph".
_NAME = re.compile(r"[0-9a-f]{32}(\.[0-9a-f]{16}(\.graph)?)?\.safetensors")
_PACKED = ("words", "stored")
_PLAIN = ("starts", "documents", "counts", "lengths")


def part_path(folder: Path, name: str) -> Path:
    """Return the path of the part with this name, a hash of 32 hexadecimal digits."""
    return folder / f"{name}.safetensors"


def vectors_path(part: Path, fingerprint: str) -> Path:
    """Return the path of an encoder's vectors of a part's documents."""
    return part.with_name(f"{part.stem}.{fingerprint}.safetensors")


def graph_path(part: Path, fingerprint: str) -> Path:
    """Return the path of the graph of these vectors."""
    return part.with_name(f"{part.stem}.{fingerprint}.graph.safetensors")


def files_in(folder: Path) -> list[Path]:
    """Return all files whose names are those of an index's files, except its list."""
    return [path for path in folder.iterdir() if _NAME.fullmatch(path.name)] if folder.is_dir() else []


def parts_in(folder: Path) -> list[Path]:
    """Return the files of `files_in` whose names are those of parts."""
    return [path for path in files_in(folder) if "." not in path.stem]


def save_part(path: Path, part: Part) -> None:
    """Write a part atomically.

    Raises:
        CourseError: the file cannot be written.
    """
    arrays = {name: getattr(part, name) for name in _PLAIN}
    for name in _PACKED:
        texts = getattr(part, name)
        arrays |= {f"{name}.letters": texts.letters, f"{name}.starts": texts.starts}
    save_arrays(path, arrays)


@lru_cache(MOST_OPEN)
def open_part(path: Path) -> Part:
    """Map a part into memory. The result is cached: a part's name is a hash of its content.

    Raises:
        CourseError: the file is missing, or is not a part.
    """
    with reading(path):
        arrays = map_arrays(path)
        fields: dict[str, Any] = {name: arrays[name] for name in _PLAIN}
        for name in _PACKED:
            fields[name] = PackedTexts(arrays[f"{name}.letters"], arrays[f"{name}.starts"])
        return Part(**fields)
