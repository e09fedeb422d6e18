"""A lock that one process holds for as long as it works in a folder, on Linux, macOS and Windows."""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from course.errors import CourseError


@contextmanager
def alone(folder: Path, seconds: float = 0.0) -> Iterator[bool]:
    """Yield whether this process is the only one that works in a folder; if it is, it stays so during the block.

    The operating system releases the lock however the process ends. The file is not in the folder itself, because a
    cloud drive may have no locks.

    Args:
        folder: the folder; it need not exist.
        seconds: how long to wait for a lock that another process holds.

    Raises:
        CourseError: the file cannot be opened.
    """
    name = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]
    descriptor = _opened(Path(tempfile.gettempdir(), f"course-{name}.lock"))
    until = time.monotonic() + seconds
    try:
        while not (locked := _lock(descriptor)) and time.monotonic() < until:
            time.sleep(0.05)
        yield locked
    finally:
        os.close(descriptor)


@contextmanager
def require_alone(folder: Path) -> Iterator[None]:
    """Keep other processes out of a folder during the block.

    Raises:
        CourseError: one works there already; both would overwrite each other's files.
    """
    with alone(folder) as is_alone:
        if not is_alone:
            raise CourseError(f"another process works in {folder}. Wait until it ends, or name another folder.")
        yield


def is_running(folder: Path) -> bool:
    """Return whether a process works in a folder."""
    with alone(folder) as locked:
        return not locked


def _opened(path: Path) -> int:
    """Open a file that every account may open, and make it if it is missing."""
    try:
        # Linux lets nobody open another's file in a folder like /tmp with O_CREAT, so it must come second.
        with suppress(FileNotFoundError):
            return os.open(path, os.O_RDWR)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        path.chmod(0o666)  # whatever the umask
        return descriptor
    except OSError as error:
        reason = error.strerror or error
        raise CourseError(f"the lock file {path} cannot be opened: {reason}. Let its owner delete it.") from error


def _lock(descriptor: int) -> bool:
    with suppress(OSError):
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False
