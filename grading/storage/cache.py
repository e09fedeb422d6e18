"""What takes long to make and follows from sources alone is kept in the project's `build`, under a key of them."""

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
    """Changes with every change of these sources, and with the words.

    Args:
        sources: files, and folders of which all Python files count, from the root.
        *words: what else matters, such as the versions of libraries.
    """
    digest = hashlib.sha256("\0".join(words).encode())
    for path in sorted(file for source in sources for file in _files(root / source)):
        content = path.read_bytes()
        # With its length, so that nothing can move from one file to the next unnoticed.
        digest.update(f"\0{path.relative_to(root).as_posix()}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def kept(name: str, key: str, make: Callable[[], bytes]) -> bytes:
    """What `make` gives, or gave when it was last asked for under this key.

    An entry that is damaged is made anew, and one under another key is replaced. Where nothing can be kept, it is made
    each time.

    Args:
        name: of the entry, as a file's.
        key: of all that it depends on: see `key_of`.
        make: makes it.
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
    """Stands before the data, and fits neither other data nor another key."""
    return hashlib.sha256(key.encode() + b"\0" + data).digest()


def _files(path: Path) -> Iterable[Path]:
    return path.rglob("*.py") if path.is_dir() else [path]
