"""Texts that are read and files that are written whole or not at all; what goes wrong is said as a GradingError."""

from __future__ import annotations

from pathlib import Path

from course.errors import CourseError
from course.storage.atomic import atomic_file
from grading.errors import GradingError


def write_file(path: Path, content: str | bytes, mode: int = 0o666) -> None:
    """Writes a file in one step. Folders that are missing are made; text is UTF-8 with line feeds.

    Args:
        path: where.
        content: all that it is to hold.
        mode: as `atomic_file` takes it.

    Raises:
        GradingError: the file cannot be written. What was there before is still there.
    """
    # No file holds half a character; a question mark for a student's costs less than the page of a class.
    data = content.encode(errors="replace") if isinstance(content, str) else content
    try:
        with atomic_file(path, mode) as draft:
            draft.write_bytes(data)
    except CourseError as error:
        raise GradingError(str(error)) from error


def read_text(path: Path) -> str:
    """The text of a UTF-8 file.

    Raises:
        GradingError: it is not there, cannot be read, or is not text.
    """
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise GradingError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise GradingError(f"cannot read {path}: it is not UTF-8 text ({error.reason})") from error
