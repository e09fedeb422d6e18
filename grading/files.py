"""Writes files whole or not at all, so that a killed run never leaves half a file behind."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from grading.errors import GradingError


def write_whole(path: Path, content: str | bytes) -> None:
    """Writes a file in one step. Folders that are missing are made; text is UTF-8 with line feeds.

    Raises:
        GradingError: the file cannot be written. What was there before is still there.
    """
    data = content.encode() if isinstance(content, str) else content
    draft = beside(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        raise GradingError(f"cannot write {path}: {error.strerror}") from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


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


def beside(path: Path) -> Path:
    """A new name in the same folder, on the same disk, for what will become `path`."""
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
