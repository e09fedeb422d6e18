"""Writes a bundle to its folder in one step, and never over somebody's work."""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
from pathlib import Path

from course.storage.atomic import draft_of
from grading.errors import GradingError
from grading.storage.files import write_file
from grading.student_kernel.language import MANIFEST


def digest(data: bytes) -> str:
    """The hash of a file's content in a manifest."""
    return hashlib.sha256(data).hexdigest()


def zip_path(to: Path) -> Path:
    """The zip file of a bundle's folder."""
    return to.with_name(f"{to.name}.zip")


def require_free(to: Path) -> None:
    """Make sure that a bundle may be written to a folder.

    Raises:
        GradingError: the folder or zip file exists, and is not an unchanged bundle.
    """
    advice = "; choose another folder, or remove it yourself"
    if to.exists() and not to.is_dir():
        raise GradingError(f"{to} is a file{advice}")
    if to.is_dir() and any(to.iterdir()):
        if not (to / MANIFEST).is_file():
            raise GradingError(f"{to} is not empty, and is not a released bundle{advice}")
        changed = _changed(to)
        if changed:
            raise GradingError(f"{changed[0]} in {to} was changed, added or removed after the release{advice}")
    packed = zip_path(to)
    if packed.exists() and not _is_bundle(packed):
        raise GradingError(f"{packed} is in the way, and is not a released bundle{advice}")


def publish(contents: dict[str, bytes], packed: bytes, to: Path) -> None:
    """Write the folder and the zip file atomically.

    Args:
        contents: the bundle's files, by path.
        packed: the zip file of the same files.
        to: the bundle's folder.
    """
    draft, old = draft_of(to), draft_of(to)
    try:
        for path, data in contents.items():
            write_file(draft / path, data)
        write_file(zip_path(to), packed)
        if to.exists():
            to.replace(old)
        draft.replace(to)
    except OSError as error:
        if old.exists():
            old.replace(to)
        raise GradingError(f"cannot write {to}: {error.strerror}") from error
    finally:
        for leftover in (draft, old):
            shutil.rmtree(leftover, ignore_errors=True)


def _changed(folder: Path) -> list[str]:
    """The files of a bundle that have changed, are missing or are new since the release."""
    try:
        released = json.loads((folder / MANIFEST).read_bytes())["files"]
        found = {
            path.relative_to(folder).as_posix(): digest(path.read_bytes())
            for path in folder.rglob("*")
            if path.is_file() and path != folder / MANIFEST
        }
        return sorted(path for path, _ in released.items() ^ found.items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return [MANIFEST]


def _is_bundle(packed: Path) -> bool:
    try:
        with zipfile.ZipFile(packed) as archive:
            return any(name.rpartition("/")[2] == MANIFEST for name in archive.namelist())
    except (OSError, zipfile.BadZipFile):
        return False
