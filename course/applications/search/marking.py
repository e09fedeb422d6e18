"""What of a document is shown: the passage that has most of a query's words, with these marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

from course.applications.search.words import search_tokens, writable
from course.data.text.offsets import locate, normalized_characters
from course.tokenization import is_accent

_LOOKED_AT = 20_000  # characters: nobody waits for the best passage of a book
_BEFORE = 40  # characters that are shown before the first word that was found


class Word(NamedTuple):
    """A word, or a mark of punctuation, and where it stands: `text[start:end]`."""

    word: str
    start: int
    end: int


def words_in(text: str) -> list[Word]:
    """The words of a text as they are searched for, and where each stands."""
    words = search_tokens(text)
    spans = locate(words, [[word] for word in words], normalized_characters(writable(text), True))
    return [
        Word(word, int(start), _behind_accents(text, int(end))) for word, (start, end) in zip(words, spans, strict=True)
    ]


def _behind_accents(text: str, end: int) -> int:
    """Accents that are characters of their own belong to the letter before them."""
    while end < len(text) and is_accent(text[end]):
        end += 1
    return end


def passage(text: str, wanted: Collection[str], width: int = 240) -> list[tuple[str, bool]]:
    """About so many characters of a text, around most of the wanted words.

    Args:
        text: of any length; of a very long one, its beginning is looked at.
        wanted: words, as of `search_words`.
        width: how many characters.

    Returns:
        What is shown, in its order, each piece with whether it is one of the words. "…" says that more is there.

    Example:
        >>> passage("Wings, in a slipstream.", {"wings"})
        [('Wings', True), (', in a slipstream.', False)]
    """
    words = words_in(text[: max(_LOOKED_AT, width)])
    found = [word for word in words if word.word in wanted]
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
    """Where the stretch begins that has most different words; of several, the first one."""
    inside: Counter[str] = Counter()
    behind, most, place = 0, 0, 0
    for word in found:
        while behind < len(found) and found[behind].start < word.start + width:
            inside[found[behind].word] += 1
            behind += 1
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
        if word.end > place:  # two words may be made of one character
            yield text[max(place, word.start) : word.end], True
        place = max(place, word.end)
    if place < end:
        yield text[place:end], False
