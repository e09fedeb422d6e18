"""Files and folders that are there whole or not at all, so that a killed run never leaves half of one behind."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

from course.errors import CourseError

_DRAFT = re.compile(r"\..+\.[0-9a-f]{8}(\.[^.]*)?", re.DOTALL)


@contextlib.contextmanager
def atomic_file(path: Path, mode: int = 0o666) -> Iterator[Path]:
    """A name to write a file under; at the end of the block it becomes `path`, in one step.

    Folders that are missing are made. What stood at `path` stays there until then, and for good if the block fails.

    Args:
        path: where.
        mode: who may read and write it, less what the process's mask takes away; so from the first moment.

    Yields:
        An empty file in the same folder, on the same disk, with the same suffix.

    Raises:
        CourseError: the file cannot be written: the disk is full, or the folder may not be written to.

    Example:
        >>> with atomic_file(Path("settings.json")) as draft:
        ...     draft.write_text("{}")
    """
    draft = draft_of(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.touch(mode, exist_ok=False)
        yield draft
        _flush(draft)
        draft.replace(path)
        _flush(path.parent)
    except OSError as error:
        raise _cannot_write(path, error) from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


@contextlib.contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """A folder to write files into; at the end of the block it becomes `path`, in one step. `path` must not exist yet.

    Yields:
        The folder, empty, beside `path`. Files are put there by `atomic_file`, which says what goes wrong.

    Raises:
        CourseError: the folder cannot be made, or cannot get its name.
    """
    draft = draft_of(path)
    try:
        try:
            draft.mkdir(parents=True)
        except OSError as error:
            raise _cannot_write(path, error) from error
        yield draft
        try:
            draft.rename(path)
            _flush(path.parent)
        except OSError as error:
            raise _cannot_write(path, error) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def require_writable(folder: Path) -> None:
    """Makes a folder where there is none, and tries whether it takes a file: before hours of work, and not after.

    Raises:
        CourseError: it does not.
    """
    draft = draft_of(folder / "tried")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        draft.touch(exist_ok=False)
        draft.unlink()
    except OSError as error:
        raise CourseError(f"cannot write into {folder}: {error.strerror or error}. Name another folder.") from error


def clear_drafts(folder: Path) -> None:
    """Removes what writers that were killed left half written, here and below. None may be at work.

    Raises:
        CourseError: a file cannot be removed.
    """
    for draft in folder.rglob(".*"):
        if _DRAFT.fullmatch(draft.name) and draft.is_file():
            try:
                draft.unlink(missing_ok=True)
            except OSError as error:
                raise CourseError(f"cannot remove {draft}: {error.strerror}") from error


def draft_of(path: Path) -> Path:
    """A new name in the same folder, on the same disk, for what will become `path`."""
    return path.with_name(f".{path.stem}.{secrets.token_hex(4)}{path.suffix}")


def _flush(path: Path) -> None:
    """Waits until the disk has it: a rename may reach the disk before what was written to the file does."""
    if os.name == "nt" and path.is_dir():  # Windows does not open folders
        return
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _cannot_write(path: Path, error: OSError) -> CourseError:
    return CourseError(f"cannot write {path}: {error.strerror or error}. What was there before is still there.")
