"""Temporary folders that do not outlive a killed run: the next one removes them."""

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
    """A folder of this process's own, which is gone after the block.

    While the process lives it holds a lock on the folder, so that no other run takes it for left over.
    """
    with tempfile.TemporaryDirectory(prefix=f"bert-grading-{os.getpid()}-") as name:
        lock = _locked(Path(name))
        try:
            yield Path(name)
        finally:
            if lock is not None:
                os.close(lock)


def clear_temporary_folders() -> None:
    """Removes the folders of this user's processes that ended without removing them, as a killed one does."""
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
    except OSError:  # it is another user's
        return True
    return True


def _locked(folder: Path) -> int | None:
    """A descriptor that holds the lock of this user's own folder; None where it is somebody else's or held.

    A number of a process may mean another one in a container that shares the folder; a lock does not.
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
