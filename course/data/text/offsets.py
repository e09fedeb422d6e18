"""Where the pieces of a text stand in it: the characters of the text from which each piece was made.

Between a text and its pieces lie lower case, Unicode's form NFD and characters that vanish. So each character is
carried along with its place until the words are known.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from course.tokenization import CONTINUATION, SPECIAL_TOKEN_PATTERN, SPECIAL_TOKENS, is_accent, is_control


class EncodedText(NamedTuple):
    """The pieces of a text, and where they stand in it as it was given: `text[start:end]`.

    Attributes:
        token_ids: int32, (pieces,), without [CLS], [SEP] or padding.
        word_ids: int32, (pieces,), of which word each piece is a part. Words are those of `basic_tokenize`, counted
            from 0: a mark of punctuation is one, too.
        starts: int32, (pieces,), the index of each piece's first character.
        ends: int32, (pieces,), the index after its last one.
    """

    token_ids: np.ndarray
    word_ids: np.ndarray
    starts: np.ndarray
    ends: np.ndarray


class Character(NamedTuple):
    """A character as the tokenizer reads it, which was made of `text[start:end]`."""

    character: str
    start: int
    end: int


def normalized_characters(text: str, lowercase: bool) -> list[Character]:
    """The characters that `basic_tokenize` splits into words, and some that it drops, with their places in the text."""
    found: list[Character] = []
    place = 0
    for part in SPECIAL_TOKEN_PATTERN.split(text):
        if lowercase and part not in SPECIAL_TOKENS:
            found += _without_accents(part, place)
        else:
            found += [Character(character, at, at + 1) for at, character in enumerate(part, start=place)]
        place += len(part)
    return found


def _without_accents(text: str, place: int) -> Iterator[Character]:
    """Lower case in the form NFD, where accents stand apart, and can be left out.

    Lower case is taken of the whole text, without what vanishes, since how a sigma looks depends on what follows. How
    many characters a character becomes depends on nothing else. NFD also sorts marks that follow one another. Marks
    that are no accents are rare, and where they change their order each is said to be made of all of them, so that
    places never go back.
    """
    visible = [(character, at) for at, character in enumerate(text, start=place) if not is_control(character)]
    places = [at for character, at in visible for _ in character.lower()]
    lowered = zip("".join(character for character, _ in visible).lower(), places, strict=True)
    decomposed = [(letter, at) for character, at in lowered for letter in unicodedata.normalize("NFD", character)]
    for _, group in groupby(decomposed, lambda one: unicodedata.combining(one[0]) > 0):
        run = [one for one in group if not is_accent(one[0])]
        ordered = sorted(run, key=lambda one: unicodedata.combining(one[0]))
        for letter, at in ordered:
            start, end = (at, at) if ordered == run else (run[0][1], run[-1][1])
            yield Character(letter, start, end + 1)


def locate(words: Sequence[Sequence[str]], pieces: Sequence[Sequence[str]], text: Sequence[Character]) -> np.ndarray:
    """Where each piece of each word begins and ends in the text: int32, (pieces, 2).

    Args:
        words: of `basic_tokenize`. What it dropped, and nothing else, stands between their characters in `text`.
        pieces: of each word, of `wordpiece_tokenize`.
        text: of `normalized_characters`.
    """
    unread = iter(text)
    spans = []
    for word, its_pieces in zip(words, pieces, strict=True):
        # No character is both kept and dropped, so the next one that is equal is the right one.
        places = [next(one for one in unread if one.character == character) for character in word]
        lengths = [len(piece.removeprefix(CONTINUATION)) for piece in its_pieces]
        if len(lengths) == 1:  # the whole word, or [UNK], whose length is not the word's
            lengths = [len(word)]
        for end, length in zip(np.cumsum(lengths), lengths, strict=True):
            spans.append((places[end - length].start, places[end - 1].end))
    return np.array(spans, "int32").reshape(-1, 2)
