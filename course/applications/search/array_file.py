"""Arrays in a memory-mapped file: an index may be larger than the memory.

The format is safetensors: a line of JSON before the bytes of the arrays. The reader of that library copies the arrays,
so this module maps them itself.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file

from course.errors import CourseError
from course.storage.atomic import atomic_file

MOST_OPEN = 256  # systems limit the open files of a process
_LENGTH = 8  # bytes of the number that holds the header's length
_TYPES = {"U8": "<u1", "U16": "<u2", "U32": "<u4", "I32": "<i4", "I64": "<i8", "F16": "<f2"}
# What reading a damaged file may raise.
_UNREADABLE = (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError)


class DamagedError(CourseError):
    """A file of an index differs from what was written."""


def damaged(path: Path, reason: object) -> DamagedError:
    """Return the error for an unreadable file of an index."""
    return DamagedError(f"{path} is damaged: {reason}. `python -m course index` with the same texts repairs the index.")


def require_size(path: Path, written: int) -> None:
    """Raise a DamagedError unless a file has as many bytes as were written."""
    if (size := path.stat().st_size if path.is_file() else 0) != written:
        raise damaged(path, f"{written:,} bytes were written, but the file has {size:,}")


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn errors from reading a damaged file into a DamagedError that names the file."""
    try:
        yield
    except _UNREADABLE as error:
        raise damaged(path, error) from error


def save_arrays(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """Write arrays atomically.

    Raises:
        CourseError: the file cannot be written.
    """
    with atomic_file(path) as draft:
        save_file(arrays, draft, {"checksum": _checksum(arrays)})


def map_arrays(path: Path) -> dict[str, np.ndarray]:
    """Map the arrays of a file into memory. Call it inside `reading`, which reports a damaged file."""
    return _mapped(path)[0]


def is_whole(path: Path) -> bool:
    """Return whether a file exists and its checksum matches."""
    try:
        arrays, checksum = _mapped(path)
        return checksum == _checksum(arrays)
    except _UNREADABLE:
        return False


def _mapped(path: Path) -> tuple[dict[str, np.ndarray], str]:
    """Return the arrays of a file, and the checksum stored with them."""
    content = np.asarray(np.memmap(path, "u1", "r"))
    size = int.from_bytes(content[:_LENGTH].tobytes(), "little")
    header: dict[str, Any] = json.loads(content[_LENGTH : _LENGTH + size].tobytes())
    checksum = header.pop("__metadata__")["checksum"]
    data = content[_LENGTH + size :]
    where = {
        name: (slice(*entry["data_offsets"]), _TYPES[entry["dtype"]], entry["shape"]) for name, entry in header.items()
    }
    return {name: data[place].view(kind).reshape(shape) for name, (place, kind, shape) in where.items()}, checksum


def _checksum(arrays: dict[str, np.ndarray]) -> str:
    digest = hashlib.sha256()
    for name in sorted(arrays):
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(arrays[name]).data)
    return digest.hexdigest()
