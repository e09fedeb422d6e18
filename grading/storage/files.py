"""Reads texts and writes files atomically; failures are raised as GradingError."""

from __future__ import annotations

from pathlib import Path

from course.errors import CourseError
from course.storage.atomic import atomic_file
from grading.errors import GradingError


def write_file(path: Path, content: str | bytes, mode: int = 0o666) -> None:
    """Write a file atomically. Missing folders are made; text is UTF-8 with line feeds.

    Args:
        path: the file.
        content: its whole content.
        mode: see `atomic_file`.

    Raises:
        GradingError: the file cannot be written. Its old content is still there.
    """
    # UTF-8 cannot encode a lone surrogate; a question mark in its place costs less than the page of a class.
    data = content.encode(errors="replace") if isinstance(content, str) else content
    try:
        with atomic_file(path, mode) as draft:
            draft.write_bytes(data)
    except CourseError as error:
        raise GradingError(str(error)) from error


def read_text(path: Path) -> str:
    """The text of a UTF-8 file.

    Raises:
        GradingError: the file is missing, cannot be read, or is not UTF-8 text.
    """
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise GradingError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise GradingError(f"cannot read {path}: it is not UTF-8 text ({error.reason}); save it as UTF-8") from error
