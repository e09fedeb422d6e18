"""Locks a folder against other processes that write to it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from course.errors import CourseError
from course.storage.atomic import clear_drafts
from grading.errors import GradingError


@contextlib.contextmanager
def locked(folder: Path, refusal: str = "", *, below: bool = True) -> Iterator[None]:
    """Lock a folder against other runs, and remove files that a killed run left half written.

    Args:
        folder: the folder; made if it is missing, for its owner alone: it holds names and points.
        refusal: the error if another run holds the lock; if it is "", wait for that run.
        below: remove half-written files also from the folders below. Another run may be writing there, unless it locks
            this folder, too.

    Raises:
        GradingError: another run writes there, or the folder cannot be made or read.
    """
    import fcntl

    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise GradingError(f"cannot write to {folder}: {error.strerror}") from error
    try:
        try:
            # The kernel releases the lock however the process ends.
            fcntl.flock(descriptor, fcntl.LOCK_EX | (fcntl.LOCK_NB if refusal else 0))
        except OSError:
            raise GradingError(refusal) from None
        try:
            clear_drafts(folder, below=below)
        except CourseError as error:
            raise GradingError(str(error)) from error
        yield
    finally:
        os.close(descriptor)
