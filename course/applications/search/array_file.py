"""Arrays in a file, which is mapped into memory: an index may be larger than that.

The file is one of safetensors, whose format is a line of JSON before the bytes of the arrays. Its own reader copies
what it reads, so the arrays are mapped here.
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

MOST_OPEN = 256  # a process may not have many files open
_LENGTH = 8  # bytes, of the number that says how long the header is
_TYPES = {"U8": "<u1", "U16": "<u2", "U32": "<u4", "I32": "<i4", "I64": "<i8", "F16": "<f2"}
# What reading a damaged file may raise.
_UNREADABLE = (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError)


class DamagedError(CourseError):
    """A file of an index is not as it was written."""


def damaged(path: Path, reason: object) -> DamagedError:
    """The error for a file of an index that cannot be read."""
    return DamagedError(
        f"{path} is damaged: {reason}. `python -m course index` with the same texts makes anew what is damaged."
    )


def require_size(path: Path, written: int) -> None:
    """Raises a DamagedError unless a file has as many bytes as were written."""
    if (size := path.stat().st_size if path.is_file() else 0) != written:
        raise damaged(path, f"{written:,} bytes were written, and {size:,} are there")


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """What a damaged file raises while it is read becomes a DamagedError that names it."""
    try:
        yield
    except _UNREADABLE as error:
        raise damaged(path, error) from error


def save_arrays(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """Writes arrays, all or none.

    Raises:
        CourseError: they cannot be written.
    """
    with atomic_file(path) as draft:
        save_file(arrays, draft, {"checksum": _checksum(arrays)})


def map_arrays(path: Path) -> dict[str, np.ndarray]:
    """Maps the arrays of a file into memory. What is read of a damaged file belongs into `reading`."""
    return _mapped(path)[0]


def is_whole(path: Path) -> bool:
    """Whether a file is there, with all of its bytes as they were written."""
    try:
        arrays, checksum = _mapped(path)
        return checksum == _checksum(arrays)
    except _UNREADABLE:
        return False


def _mapped(path: Path) -> tuple[dict[str, np.ndarray], str]:
    """The arrays of a file, and the checksum that it has of them."""
    content = np.asarray(np.memmap(path, "u1", "r"))
    size = int.from_bytes(content[:_LENGTH].tobytes(), "little")
    header: dict[str, Any] = json.loads(content[_LENGTH : _LENGTH + size].tobytes())
    checksum = header.pop("__metadata__")["checksum"]
    data = content[_LENGTH + size :]
    where = {
        name: (slice(*said["data_offsets"]), _TYPES[said["dtype"]], said["shape"]) for name, said in header.items()
    }
    return {name: data[place].view(kind).reshape(shape) for name, (place, kind, shape) in where.items()}, checksum


def _checksum(arrays: dict[str, np.ndarray]) -> str:
    digest = hashlib.sha256()
    for name in sorted(arrays):
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(arrays[name]).data)
    return digest.hexdigest()
