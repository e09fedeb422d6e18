"""Recognises files by their names: notebooks, archives, and files that nobody handed in."""

from __future__ import annotations

import re
import unicodedata

# Browsers and mail programs append to a notebook's name: "alice.ipynb.txt", "alice.ipynb (1)".
_NOTEBOOK = re.compile(r"\.ipynb(?![^\W_]).*$", re.IGNORECASE | re.DOTALL)
_ARCHIVE = re.compile(r"\.(zip|tar|tar\.gz|tgz)$", re.IGNORECASE)
# Google Drive downloads a large folder in parts: `Chapter 3-20261101T120000Z-001.zip`, later also `...Z-1-001.zip`.
_DRIVE_PART = re.compile(r"(?P<download>.+-\d{8}T\d{6}Z)(?:-\d+)?-\d{3}\.zip", re.DOTALL)
_NOBODYS = {"__macosx", "thumbs.db", "desktop.ini"}


def is_ignored(name: str) -> bool:
    """Whether a system, and not a student, makes files or folders of this name."""
    return name.startswith(".") or name.lower() in _NOBODYS


def is_notebook_name(name: str) -> bool:
    """Whether a file's name is that of a notebook."""
    return _NOTEBOOK.search(name) is not None


def is_archive_name(name: str) -> bool:
    """Whether a file's name is that of a supported archive."""
    return _ARCHIVE.search(name) is not None


def drive_download(name: str) -> str:
    """The download of which Google Drive made an archive of this name, maybe one of several; "" if it made none."""
    found = _DRIVE_PART.fullmatch(name)
    return found["download"] if found else ""


def without_ending(name: str) -> str:
    """The name of a notebook or an archive without its ending."""
    return _ARCHIVE.sub("", _NOTEBOOK.sub("", name)) or name


def squeezed(name: str) -> str:
    """A name's letters and digits alone, in lower case and without accents: the part that no system rewrites."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    return "".join(letter for letter in plain if letter.isalnum())
