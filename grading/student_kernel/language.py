"""The language in which a notebook is spoken to: that of the bundle that it came in."""

from __future__ import annotations

import json
from functools import cache

from grading.judging.exercise import Chapter
from grading.languages import ENGLISH, known_language
from grading.messages.translator import Translator, translator
from grading.storage.project import PROJECT

MANIFEST = "release.json"  # of a bundle


def said(chapter: Chapter | None = None) -> Translator:
    """What says messages in the student's language, with the sentences of a chapter."""
    return translator(_language(), chapter.slug if chapter else "")


@cache
def _language() -> str:
    """The language of the bundle; English in the whole project, which has no manifest, or where that is damaged."""
    try:
        manifest = json.loads((PROJECT / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ENGLISH
    return known_language(manifest.get("language") if isinstance(manifest, dict) else None) or ENGLISH
