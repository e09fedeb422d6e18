"""Temporary folders; the next run removes those that a killed one left behind."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

_NAME = re.compile(r"bert-grading-(\d+)-\w+")


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """A temporary folder for this process, removed after the block.

    The process holds a lock on the folder, so that no other run takes it for left over.
    """
    with tempfile.TemporaryDirectory(prefix=f"bert-grading-{os.getpid()}-") as name:
        lock = _locked(Path(name))
        try:
            yield Path(name)
        finally:
            if lock is not None:
                os.close(lock)


def clear_temporary_folders() -> None:
    """Remove the folders of this user's processes that were killed before they could do so."""
    for folder in Path(tempfile.gettempdir()).glob("bert-grading-*"):
        found = _NAME.fullmatch(folder.name)
        if found and not _is_alive(int(found[1])) and (lock := _locked(folder)) is not None:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(lock)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # another user's process
        return True
    return True


def _locked(folder: Path) -> int | None:
    """A descriptor that holds the lock of a folder of this user; None if it is another user's, or locked.

    A process number may mean another process in a container that shares the folder; a lock cannot.
    """
    try:
        import fcntl

        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except (ImportError, OSError):  # Windows has no such locks, and grades in a container
        return None
    try:
        if os.fstat(descriptor).st_uid != os.geteuid():
            raise OSError("it is another user's")
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
