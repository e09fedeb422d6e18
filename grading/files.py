"""Writes files whole or not at all, so that a killed run never leaves half a file behind."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from pathlib import Path

from grading.errors import GradingError

_DRAFT = re.compile(r"\..+\.[0-9a-f]{8}\.tmp", re.DOTALL)


def write_whole(path: Path, content: str | bytes, mode: int = 0o666) -> None:
    """Writes a file in one step. Folders that are missing are made; text is UTF-8 with line feeds.

    Args:
        path: where.
        content: all that it is to hold.
        mode: who may read and write it, less what the process's mask takes away; so from the first moment.

    Raises:
        GradingError: the file cannot be written. What was there before is still there.
    """
    # No file holds half a character; a question mark for a student's costs less than the page of a class.
    data = content.encode(errors="replace") if isinstance(content, str) else content
    draft = beside(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.touch(mode, exist_ok=False)
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


def clear_drafts(folder: Path) -> None:
    """Removes what writers that were killed left half written, here and below. None may be at work.

    Raises:
        GradingError: one of them cannot be removed.
    """
    for draft in folder.rglob(".*.tmp"):
        if _DRAFT.fullmatch(draft.name):
            try:
                draft.unlink(missing_ok=True)
            except OSError as error:
                raise GradingError(f"cannot remove {draft}: {error.strerror}") from error
