"""A lesson's catalogue: which texts of it are translated, in the lesson's order, and what a change of them does.

The English text is the key. Where it changes, its translation is kept as "fuzzy", with the text that it translates;
until somebody has looked at it, readers see the new English.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import polib

from grading.exercises.registry import chapter as registered_chapter
from grading.judging.exercise import Exercise
from grading.lessons.answers import Answer, Teaching, find_answers
from grading.lessons.blocks import blocks, docstring_pieces, markdown_pieces
from grading.lessons.figures import parsed, words_in_figures
from grading.lessons.lesson import Lesson
from grading.lessons.library import docstrings
from grading.lessons.pictures import alternative_text, picture_names
from grading.storage.project import PROJECT

_PLURALS = {
    "ru": "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);",
    "zh_CN": "nplurals=1; plural=0;",
}
# From this similarity on, a new text is a changed old one.
_SIMILAR = 0.6


@dataclass(frozen=True)
class Text:
    """A text to be translated.

    Attributes:
        english: the text, which is the key.
        about: what it is, for the translator.
        plural: the English plural, where the text has one.
    """

    english: str
    about: str
    plural: str = ""


@dataclass
class Changes:
    """How a catalogue differs from the texts: the numbers of new texts, changed ones, and those that are gone."""

    new: int = 0
    changed: int = 0
    gone: int = 0

    def __str__(self) -> str:
        return f"{self.new} new, {self.changed} changed, {self.gone} gone"


def lesson_texts(lesson: Lesson, library: Path = PROJECT) -> list[Text]:
    """The texts of a lesson, of its exercises and of what their checks and known mistakes say; each once, in order.

    Args:
        library: the folder that contains `course`.

    Raises:
        GradingError: the lesson does not fit the library, or a picture has no alternative text.
    """
    found: dict[str, Text] = {}
    for text in _lesson_texts(lesson, find_answers(lesson, library)):
        found.setdefault(text.english, text)
    return list(found.values())


def _lesson_texts(lesson: Lesson, teaching: Teaching) -> Iterator[Text]:
    yield Text(lesson.title, "title of the chapter")
    chapter = registered_chapter(lesson.chapter)
    chapter.load_mistakes()
    answers = {answer.task.name: answer for answer in teaching.answers}
    for cell in lesson.cells:
        if cell.task:
            yield from _exercise_texts(teaching, answers[cell.task.name], chapter.exercises[cell.task.name])
        elif cell.is_code:
            yield from (Text(words, "words in a figure") for _, words in words_in_figures(parsed(cell.source)))
        else:
            yield from (Text(block.text, block.kind) for block in blocks(markdown_pieces(cell.source)))
            for name in picture_names(cell.source):
                yield Text(alternative_text(lesson.path, f"pictures/{name}"), f"alternative text of {name}.png")


def _exercise_texts(teaching: Teaching, answer: Answer, exercise: Exercise) -> Iterator[Text]:
    for given in teaching.given(answer):
        yield Text(teaching.summary(given), f"given for {exercise.name}: {given.names[0]}")
    code = teaching.module.text(answer.definition)
    for place in docstrings(code):
        for block in blocks(docstring_pieces(code[place])):
            yield Text(block.text, f"docstring of {exercise.name}: {block.kind}")
    for check in exercise.checks:
        yield Text(check.title, f"check of {exercise.name}: Your code ...")
    for mistake in exercise.mistakes:
        yield Text(mistake.sentence, f"mistake in {exercise.name}: {mistake.name}")
        yield Text(mistake.hint, f"hint to {exercise.name}: {mistake.name}")


def updated(old: polib.POFile, texts: Iterable[Text], language: str) -> tuple[polib.POFile, Changes]:
    """The catalogue that fits the texts, with the translations of an older one.

    A text that is gone stays at the end as obsolete if it has a translation: it may come back, or move elsewhere.
    """
    changes = Changes()
    known = {entry.msgid: entry for entry in old}
    texts = list(texts)
    wanted = {text.english for text in texts}
    gone = [entry for key, entry in known.items() if key not in wanted]
    changes.gone = sum(not entry.obsolete for entry in gone)
    gone = [entry for entry in gone if entry.msgstr or entry.msgstr_plural]
    new = polib.POFile(wrapwidth=0)
    new.metadata = _metadata(language)
    for text in texts:
        entry = _entry(text, language)
        earlier = known.get(text.english)
        if earlier is None:
            earlier = _most_similar(text, gone)
            if earlier:
                gone.remove(earlier)
                changes.gone -= not earlier.obsolete
                changes.changed += 1
                entry.previous_msgid = earlier.previous_msgid or earlier.msgid
                entry.flags.append("fuzzy")
            else:
                changes.new += 1
        elif earlier.obsolete:
            changes.new += 1
        else:
            entry.previous_msgid = earlier.previous_msgid if earlier.fuzzy else None
        _take(entry, earlier)
        new.append(entry)
    for entry in gone:
        entry.obsolete, entry.comment = True, ""
        new.append(entry)
    return new, changes


def _metadata(language: str) -> dict[str, str]:
    """A catalogue's header. It is not dated, so that the same texts give the same bytes."""
    return {
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": _PLURALS[language],
    }


def _entry(text: Text, language: str) -> polib.POEntry:
    """A text's entry, without a translation."""
    forms = dict.fromkeys(range(plural_forms(language)), "") if text.plural else {}
    return polib.POEntry(
        msgid=text.english,
        msgid_plural=text.plural,
        msgstr_plural=forms,
        comment=text.about,
    )


def plural_forms(language: str) -> int:
    """How many forms a language has for counted things."""
    return int(_PLURALS[language].removeprefix("nplurals=")[0])


def _take(entry: polib.POEntry, earlier: polib.POEntry | None) -> None:
    """Copy a translation, and what translators have written above it."""
    if earlier is None:
        return
    entry.tcomment = earlier.tcomment
    if entry.msgid_plural:
        entry.msgstr_plural |= earlier.msgstr_plural
    else:
        entry.msgstr = earlier.msgstr
    if earlier.fuzzy and not entry.fuzzy:
        entry.flags.append("fuzzy")


def _most_similar(text: Text, entries: list[polib.POEntry]) -> polib.POEntry | None:
    """The translated entry whose English is most like the text; None if no one is like it."""
    best, found = _SIMILAR, None
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(text.english)
    for entry in entries:
        if bool(entry.msgid_plural) != bool(text.plural):
            continue
        matcher.set_seq1(entry.msgid)
        if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best and matcher.ratio() > best:
            best, found = matcher.ratio(), entry
    return found
