"""Holds translations against locale/glossary.csv, which has each language's words for the terms of the field."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from grading.storage.files import read_text


@dataclass(frozen=True)
class Term:
    """A term of the field.

    Attributes:
        english: the term in the singular.
        translated: the term in the language.
        forms: parts of words; a translation of a text with the term has at least one of them.
    """

    english: str
    translated: str
    forms: tuple[str, ...]

    @cached_property
    def words(self) -> re.Pattern[str]:
        """What finds the English term, in the singular or the plural."""
        return re.compile(rf"\b{re.escape(self.english)}(?:s|es)?\b", re.IGNORECASE)


@cache
def read_glossary(root: Path, language: str) -> tuple[Term, ...]:
    """The terms of a language, the longest English ones first."""
    path = root / "locale" / "glossary.csv"
    rows = csv.DictReader(io.StringIO(read_text(path))) if path.is_file() else []
    terms = [
        Term(row["english"], row[language], tuple(row[f"{language} forms"].split("|")))
        for row in sorted(rows, key=lambda row: -len(row["english"]))
    ]
    return tuple(terms)


def missing_terms(english: str, translated: str, terms: tuple[Term, ...]) -> Iterator[str]:
    """The terms of a text that its translation does not have, each as a sentence's end.

    A term within a longer one, such as "mask" in "attention mask", is not asked for again. A translation may leave a
    term in English, as in the title of a paper.

    Args:
        english: the text without its formulas and code.
        translated: its translation, whole, because a term may be translated by a name in code.
    """
    translated = translated.lower()
    for term in terms:
        english, times = term.words.subn(" ", english)
        if times and not term.words.search(translated) and not any(form in translated for form in term.forms):
            yield f'has no word for "{term.english}"; the glossary has {term.translated}'
