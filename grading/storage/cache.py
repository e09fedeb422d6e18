"""A cache in the project's `build`, for results that take long to make and depend on sources alone."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

from grading.errors import GradingError
from grading.storage.files import write_file
from grading.storage.project import PROJECT

FOLDER = PROJECT / "build" / "cache"


def key_of(sources: Iterable[str], *words: str, root: Path = PROJECT) -> str:
    """A cache key that changes with these sources and words.

    Args:
        sources: files, and folders whose Python files all count, relative to the root.
        *words: anything else that matters, such as the versions of libraries.
    """
    digest = hashlib.sha256("\0".join(words).encode())
    for path in sorted(file for source in sources for file in _files(root / source)):
        content = path.read_bytes()
        # The length makes it impossible to move text from one file to the next unnoticed.
        digest.update(f"\0{path.relative_to(root).as_posix()}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def kept(name: str, key: str, make: Callable[[], bytes]) -> bytes:
    """Return the cached result of `make`, or call it.

    A damaged entry, or one with another key, is made again. If the cache cannot be written, `make` runs each time.

    Args:
        name: the entry's file name.
        key: the key of all that the result depends on: see `key_of`.
        make: makes the result.
    """
    path = FOLDER / name
    with contextlib.suppress(OSError):
        content = path.read_bytes()
        data = content[_MARK_BYTES:]
        if content[:_MARK_BYTES] == _mark(key, data):
            return data
    data = make()
    with contextlib.suppress(GradingError):
        write_file(path, _mark(key, data) + data)
    return data


_MARK_BYTES = hashlib.sha256().digest_size


def _mark(key: str, data: bytes) -> bytes:
    """The checksum of data and key, which is stored in front of the data."""
    return hashlib.sha256(key.encode() + b"\0" + data).digest()


def _files(path: Path) -> Iterable[Path]:
    return path.rglob("*.py") if path.is_dir() else [path]
