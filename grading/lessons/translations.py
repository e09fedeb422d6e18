"""Brings the project's catalogues up to its texts, and checks the translations in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polib

from grading.errors import GradingError
from grading.languages import ENGLISH, LANGUAGES, catalogue_path, read_catalogue
from grading.lessons.blocks import blocks, markdown_pieces
from grading.lessons.catalogue import Changes, Text, lesson_texts, plural_forms, updated
from grading.lessons.glossary import Term, missing_terms, read_glossary
from grading.lessons.lesson import find_lessons, read_lesson
from grading.lessons.placeholders import damages, plain
from grading.lessons.words import words_of
from grading.storage.files import read_text, write_file
from grading.storage.project import PROJECT

# Catalogues of words in code, and the folders of that code.
_WORDS = {"messages": "grading", "website": "website"}
# And the pages in them that are translated as a whole.
_PAGES = {"messages": "grading/release/templates/README.md.jinja", "website": "website/languages.md"}
_SHOWN = 60  # characters of a text, to find it by


@dataclass(frozen=True)
class Report:
    """What there is to say of a catalogue.

    Attributes:
        texts, translated, fuzzy: how many texts it has, how many of them are translated, and how many have a
            translation of other words.
        is_stale: whether its file does not fit the texts.
        changes: how it does not.
        problems: what is wrong with translations.
    """

    path: Path
    texts: int
    translated: int
    fuzzy: int
    is_stale: bool
    changes: Changes
    problems: list[str]


def all_catalogues(root: Path = PROJECT) -> list[Path]:
    """The files of all catalogues, whether they exist or not, by language."""
    lessons = [lesson.slug for lesson in find_lessons(root / "notebooks" / "source")]
    languages = [language for language in LANGUAGES if language != ENGLISH]
    return [catalogue_path(language, name, root) for language in languages for name in (*lessons, *_WORDS)]


def update(path: Path, root: Path = PROJECT, write: bool = True) -> Report:
    """Bring one catalogue up to its texts, and check its translations.

    Args:
        path: its file, which need not exist.
        root: the project's folder.
        write: whether to write the file. If not, the report says whether it would change.

    Raises:
        GradingError: it is not the catalogue of a lesson in a known language, or it is damaged.
    """
    language, name = _language_and_name(path, root)
    old = read_catalogue(path) if path.is_file() else polib.POFile()
    new, changes = updated(old, texts_of(name, root), language)
    content = "\n".join(line.rstrip() for line in str(new).splitlines()) + "\n"
    is_stale = not path.is_file() or read_text(path) != content
    if write and is_stale:
        write_file(path, content)
    entries = [entry for entry in new if not entry.obsolete]
    fuzzy = sum(entry.fuzzy for entry in entries)
    done = [entry for entry in entries if entry.translated()]
    terms = read_glossary(root, language)
    problems = [problem for entry in entries if not entry.fuzzy for problem in _problems(entry, language, terms)]
    return Report(path, len(entries), len(done), fuzzy, is_stale, changes, problems)


def texts_of(name: str, root: Path = PROJECT) -> list[Text]:
    """The texts of a catalogue, by its name."""
    if name in _WORDS:
        found = [*words_of(root / _WORDS[name], root), *_page_texts(root / _PAGES[name])]
        return list({text.english: text for text in found}.values())
    return lesson_texts(read_lesson(root / "notebooks" / "source" / f"{name}.md"), root)


def _page_texts(page: Path) -> list[Text]:
    """The texts of a page that is translated before it is filled."""
    return [Text(block.text, f"{page.name}: {block.kind}") for block in blocks(markdown_pieces(read_text(page)))]


def _language_and_name(path: Path, root: Path) -> tuple[str, str]:
    for known in all_catalogues(root):
        if known.resolve() == path.resolve():
            return known.parts[-3], known.stem
    wanted = catalogue_path("ru", "03_attention", root)
    raise GradingError(f"{path} is no catalogue of this course; wanted a file such as {wanted}")


def _problems(entry: polib.POEntry, language: str, terms: tuple[Term, ...]) -> Iterator[str]:
    """What is wrong with an entry's translation, each with the line and words to find it by."""
    is_cell = entry.comment.endswith("cell of a table")
    forms = {f"plural form {number} ": form for number, form in entry.msgstr_plural.items() if form}
    if forms and len(forms) != (wanted := plural_forms(language)):
        yield f"{_shown(entry)}: has {len(forms)} plural forms; wanted {wanted}"
    english = entry.msgid_plural or entry.msgid
    for name, form in (forms or {"": entry.msgstr}).items():
        if form:
            for problem in (*damages(english, form, is_cell), *missing_terms(plain(english), form, terms)):
                yield f"{_shown(entry)}: {name}{problem}"


def _shown(entry: polib.POEntry) -> str:
    text = entry.msgid if len(entry.msgid) <= _SHOWN else f"{entry.msgid[:_SHOWN]}…"
    return f'"{text}" ({entry.comment})'
