"""Atomic writes of files and folders: a killed run never leaves half of one."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from safetensors import SafetensorError

from course.errors import CourseError

_DRAFT = re.compile(r"\..+\.[0-9a-f]{8}(\.[^.]*)?", re.DOTALL)
_PATIENCE = 2.0  # seconds
_T = TypeVar("_T")
_CANNOT_WRITE = (OSError, SafetensorError)  # the second is no OSError even when the disk is full


@contextlib.contextmanager
def atomic_file(path: Path, mode: int = 0o666) -> Iterator[Path]:
    """Yields a draft to write a file to; at the end of the block it becomes `path`, in one step.

    Missing folders are created. Until the block ends, a file that exists at `path` stays, and if the block fails, it
    stays for good.

    Args:
        path: the final path of the file.
        mode: its permissions, less the process's umask; the draft has them from its creation.

    Yields:
        An empty file in the same folder, on the same disk, with the same suffix.

    Raises:
        CourseError: the file cannot be written: the disk is full, or the folder is not writable.

    Example:
        >>> with atomic_file(Path("settings.json")) as draft:
        ...     draft.write_text("{}")
    """
    if not path.name:
        raise CourseError(f"cannot write {path}: it is a folder. Name a file in it.")
    draft = draft_of(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.touch(mode, exist_ok=False)
        yield draft
        _flush(draft)
        patiently(lambda: draft.replace(path))
        _flush(path.parent)
    except _CANNOT_WRITE as error:
        raise _cannot_write(path, error) from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


@contextlib.contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """Yields a folder to write files into; at the end of the block it becomes `path`, in one step.

    Args:
        path: must not exist yet.

    Yields:
        The folder, empty, beside `path`.

    Raises:
        CourseError: the folder or a file in it cannot be written.
    """
    draft = draft_of(path)
    try:
        draft.mkdir(parents=True)
        yield draft
        draft.rename(path)
        _flush(path.parent)
    except _CANNOT_WRITE as error:
        raise _cannot_write(path, error) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def patiently(action: Callable[[], _T]) -> _T:
    """Return an action's result; on Windows, repeat it for two seconds while the system refuses it.

    Windows does not replace a file that another process has open, and does not open one that is being replaced.

    Raises:
        PermissionError: it is still refused.
    """
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            return action()
        except PermissionError:
            if os.name != "nt" or time.monotonic() >= until:
                raise
        time.sleep(0.05)


def require_writable(folder: Path) -> None:
    """Creates a folder if it is missing, and checks that a file can be written into it, before hours of work.

    Raises:
        CourseError: it cannot.
    """
    draft = draft_of(folder / "tried")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        draft.touch(exist_ok=False)
        draft.unlink()
    except OSError as error:
        raise CourseError(f"cannot write into {folder}: {error.strerror or error}. Name another folder.") from error


def clear_drafts(folder: Path, *, below: bool = True) -> None:
    """Removes the drafts of killed writers from a folder and, if `below`, from those below. No writer may be running.

    Raises:
        CourseError: a file cannot be removed.
    """
    for draft in folder.rglob(".*") if below else folder.glob(".*"):
        if _DRAFT.fullmatch(draft.name) and draft.is_file():
            try:
                draft.unlink(missing_ok=True)
            except OSError as error:
                raise CourseError(f"cannot remove {draft}: {error.strerror}") from error


def draft_of(path: Path) -> Path:
    """A new name in the same folder, on the same disk, for what will become `path`."""
    return path.with_name(f".{path.stem}.{secrets.token_hex(4)}{path.suffix}")


def _flush(path: Path) -> None:
    """Waits until it is on the disk: a rename may reach the disk before the file's content does."""
    if os.name == "nt" and path.is_dir():  # Windows does not open folders
        return
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _cannot_write(path: Path, error: Exception) -> CourseError:
    said = getattr(error, "strerror", None) or error
    return CourseError(f"cannot write {path}: {said}. What was there before is still there.")
