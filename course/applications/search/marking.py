"""The passage of a document that has most of a query's words, with these words marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

from course.applications.search.words import search_tokens, stems, writable
from course.data.text.offsets import locate, normalized_characters
from course.tokenization import is_accent

_LOOKED_AT = 20_000  # characters: nobody waits for the best passage of a book
_BEFORE = 40  # characters shown before the first word found


class Word(NamedTuple):
    """A word or punctuation mark, and its place: `text[start:end]`."""

    word: str
    start: int
    end: int


def words_in(text: str, language: str | None = None) -> list[Word]:
    """Return the words of a text in the form that is searched for, each with its place.

    Args:
        text: of a document.
        language: as in `search_words`.
    """
    words = search_tokens(text)
    spans = locate(words, [[word] for word in words], normalized_characters(writable(text), True))
    return [
        Word(form, int(start), _behind_accents(text, int(end)))
        for form, (start, end) in zip(stems(words, language), spans, strict=True)
    ]


def _behind_accents(text: str, end: int) -> int:
    """Return the end of a word including accents that are characters of their own."""
    while end < len(text) and is_accent(text[end]):
        end += 1
    return end


def passage(
    text: str, wanted: Collection[str], width: int = 240, language: str | None = None
) -> list[tuple[str, bool]]:
    """Return about `width` characters of a text, around most of the wanted words.

    Args:
        text: of any length; only the beginning of a very long text is searched.
        wanted: words, as from `query_words`.
        width: how many characters.
        language: of the index, as in `search_words`.

    Returns:
        The pieces of the passage in their order, each with whether it is one of the words. "…" marks omitted text.

    Example:
        >>> passage("Wings, in a slipstream.", {"wings"})
        [('Wings', True), (', in a slipstream.', False)]
    """
    words = words_in(text[: max(_LOOKED_AT, width)], language)
    forms = set(stems(wanted, language))
    found = [word for word in words if word.word in forms]
    start, end = 0, len(text)
    if len(text) > width:
        first = _fullest(found, width - _BEFORE)
        start = next(word.start for word in words if word.start >= first - _BEFORE) if first > _BEFORE else 0
        end = max((word.end for word in words if word.end <= start + width), default=start + width)
    pieces = list(_pieces(text, [word for word in found if word.start >= start and word.end <= end], start, end))
    if start:
        pieces.insert(0, ("… ", False))
    return [*pieces, (" …", False)] if end < len(text) else pieces


def _fullest(found: list[Word], width: int) -> int:
    """Return the start of the first stretch of `width` characters with the most different words."""
    inside: Counter[str] = Counter()
    end, most, place = 0, 0, 0
    for word in found:
        while end < len(found) and found[end].start < word.start + width:
            inside[found[end].word] += 1
            end += 1
        if len(inside) > most:
            most, place = len(inside), word.start
        inside[word.word] -= 1
        if not inside[word.word]:
            del inside[word.word]
    return place


def _pieces(text: str, found: list[Word], start: int, end: int) -> Iterator[tuple[str, bool]]:
    place = start
    for word in found:
        if word.start > place:
            yield text[place : word.start], False
        if word.end > place:  # two words may share one character
            yield text[max(place, word.start) : word.end], True
        place = max(place, word.end)
    if place < end:
        yield text[place:end], False
