"""A part of an index as a file, which is mapped into memory: an index may be larger than that.

The file is one of safetensors, whose format is a line of JSON before the bytes of the arrays. Its own reader copies
what it reads, so the arrays are mapped here.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file

from course.errors import CourseError
from course.search.packed_texts import PackedTexts
from course.search.part import Part
from course.storage.atomic import atomic_file

_NAME = re.compile(r"[0-9a-f]{32}\.safetensors")
_LENGTH = 8  # bytes, of the number that says how long the header is
_TYPES = {"U8": "<u1", "U16": "<u2", "U32": "<u4", "I32": "<i4", "I64": "<i8"}
_MOST_OPEN = 256  # a process may not have many files open
_PACKED = ("words", "stored")
_PLAIN = ("starts", "documents", "counts", "lengths")
# What reading a damaged file may raise.
_UNREADABLE = (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError)


def part_path(folder: Path, name: str) -> Path:
    """Where the part of a name is; a name has 32 digits, of which a hash is written."""
    return folder / f"{name}.safetensors"


def parts_in(folder: Path) -> list[Path]:
    """All files that may be parts, by their names."""
    return [path for path in folder.iterdir() if _NAME.fullmatch(path.name)] if folder.is_dir() else []


def save_part(path: Path, part: Part) -> None:
    """Writes a part, whole or not at all.

    Raises:
        CourseError: it cannot be written.
    """
    arrays = {name: getattr(part, name) for name in _PLAIN}
    for name in _PACKED:
        texts = getattr(part, name)
        arrays |= {f"{name}.letters": texts.letters, f"{name}.starts": texts.starts}
    with atomic_file(path) as draft:
        save_file(arrays, draft, {"checksum": _checksum(arrays)})


@lru_cache(_MOST_OPEN)
def open_part(path: Path) -> Part:
    """Maps a part into memory. The name of a part's file says what is in it, so that one is opened only once.

    Raises:
        CourseError: it is not there, or is no part.
    """
    try:
        arrays, _ = _mapped(path)
        fields: dict[str, Any] = {name: arrays[name] for name in _PLAIN}
        for name in _PACKED:
            fields[name] = PackedTexts(arrays[f"{name}.letters"], arrays[f"{name}.starts"])
        return Part(**fields)
    except _UNREADABLE as error:
        raise damaged(path, error) from error


def is_whole(path: Path) -> bool:
    """Whether a part is there, with all of its bytes as they were written."""
    try:
        arrays, checksum = _mapped(path)
        return checksum == _checksum(arrays)
    except _UNREADABLE:
        return False


class DamagedError(CourseError):
    """A file of an index is not as it was written."""


def damaged(path: Path, reason: object) -> DamagedError:
    """The error for a file of an index that cannot be read."""
    return DamagedError(
        f"{path} is damaged: {reason}. `python -m course index` with the same texts makes anew what is damaged."
    )


def _mapped(path: Path) -> tuple[dict[str, np.ndarray], str]:
    """The arrays of a file, and the checksum that it has of them."""
    content = np.asarray(np.memmap(path, "u1", "r"))
    size = int.from_bytes(content[:_LENGTH].tobytes(), "little")
    header: dict[str, Any] = json.loads(content[_LENGTH : _LENGTH + size].tobytes())
    checksum = header.pop("__metadata__")["checksum"]
    data = content[_LENGTH + size :]
    where = {name: (slice(*said["data_offsets"]), _TYPES[said["dtype"]]) for name, said in header.items()}
    return {name: data[place].view(kind) for name, (place, kind) in where.items()}, checksum


def _checksum(arrays: dict[str, np.ndarray]) -> str:
    digest = hashlib.sha256()
    for name in sorted(arrays):
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(arrays[name]).data)
    return digest.hexdigest()
