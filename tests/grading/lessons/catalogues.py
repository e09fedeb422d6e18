"""Made-up translations, in a project of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polib

from grading.languages import catalogue_path
from grading.lessons.catalogue import updated
from grading.lessons.translations import texts_of
from grading.storage.files import write_file
from grading.storage.project import PROJECT

_PARTS = ("course", "datasets", "grading", "notebooks", "recipes", "website")


def project_without_catalogues(folder: Path) -> Path:
    """Make a project of the course's library, lessons and grader, in which nothing is translated."""
    for name in (*_PARTS, "LICENSE", "pyproject.toml", "requirements.lock"):
        (folder / name).symlink_to(PROJECT / name)
    return folder


def translate(root: Path, name: str, said: Callable[[str], str], language: str = "ru") -> polib.POFile:
    """Write a catalogue in which each text is translated by a function; an empty translation is none."""
    catalogue, _ = updated(polib.POFile(), texts_of(name), language)
    for entry in catalogue:
        if entry.msgid_plural:
            forms = {form: said(entry.msgid_plural) for form in entry.msgstr_plural}
            entry.msgstr_plural = forms | {0: said(entry.msgid)}
        entry.msgstr = said(entry.msgid)
    write_file(catalogue_path(language, name, root), str(catalogue))
    return catalogue


def marked(text: str) -> str:
    return f"«{text}»"
