"""What the name of a file says about it: a notebook, an archive, or nobody's."""

from __future__ import annotations

import re
import unicodedata

# Browsers and mail programs add to a notebook's name: "alice.ipynb.txt", "alice.ipynb (1)".
_NOTEBOOK = re.compile(r"\.ipynb(?![^\W_]).*$", re.IGNORECASE | re.DOTALL)
_ARCHIVE = re.compile(r"\.(zip|tar|tar\.gz|tgz)$", re.IGNORECASE)
_NOBODYS = {"__macosx", "thumbs.db", "desktop.ini"}


def is_ignored(name: str) -> bool:
    """Whether a file or folder of this name is made by a system rather than handed in."""
    return name.startswith(".") or name.lower() in _NOBODYS


def is_notebook_name(name: str) -> bool:
    """Whether a file of this name says that it is a notebook."""
    return _NOTEBOOK.search(name) is not None


def is_archive_name(name: str) -> bool:
    """Whether a file of this name says that it is an archive that is read here."""
    return _ARCHIVE.search(name) is not None


def without_ending(name: str) -> str:
    """The name of a notebook or an archive without what says that it is one."""
    return _ARCHIVE.sub("", _NOTEBOOK.sub("", name)) or name


def squeezed(name: str) -> str:
    """Letters and digits alone, in one case and without accents: what is left of a name that systems rewrite."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    return "".join(letter for letter in plain if letter.isalnum())
