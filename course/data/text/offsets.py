"""Find where the pieces of a text stand in it: the characters from which each piece was made.

On the way from text to pieces, case is lowered, characters take Unicode's form NFD, and some are dropped. So each
character carries its place along until the words are known.
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
        word_ids: int32, (pieces,), the number of the word that each piece belongs to. Words are those of
            `basic_tokenize`, counted from 0; a punctuation mark is a word, too.
        starts: int32, (pieces,), the index of each piece's first character.
        ends: int32, (pieces,), the index after its last one.
    """

    token_ids: np.ndarray
    word_ids: np.ndarray
    starts: np.ndarray
    ends: np.ndarray


class Character(NamedTuple):
    """A character as the tokenizer reads it, made from `text[start:end]`."""

    character: str
    start: int
    end: int


def normalized_characters(text: str, lowercase: bool) -> list[Character]:
    """Return the characters that `basic_tokenize` splits into words, and some that it drops, with their places."""
    characters: list[Character] = []
    place = 0
    for part in SPECIAL_TOKEN_PATTERN.split(text):
        if lowercase and part not in SPECIAL_TOKENS:
            characters += _without_accents(part, place)
        else:
            characters += [Character(character, at, at + 1) for at, character in enumerate(part, start=place)]
        place += len(part)
    return characters


def _without_accents(text: str, place: int) -> Iterator[Character]:
    """Yield the lower-case characters in the form NFD, in which accents are separate, without the accents.

    The whole visible text is lowered at once, because the form of a sigma depends on what follows. The number of
    characters that a character becomes depends on that character alone. NFD also sorts consecutive marks. Marks other
    than accents are rare; if sorting changes their order, each is given the range of all of them, so that places never
    go back.
    """
    visible = [(character, at) for at, character in enumerate(text, start=place) if not is_control(character)]
    places = [at for character, at in visible for _ in character.lower()]
    lowered = zip("".join(character for character, _ in visible).lower(), places, strict=True)
    decomposed = [(letter, at) for character, at in lowered for letter in unicodedata.normalize("NFD", character)]
    for _, group in groupby(decomposed, lambda placed: unicodedata.combining(placed[0]) > 0):
        run = [placed for placed in group if not is_accent(placed[0])]
        ordered = sorted(run, key=lambda placed: unicodedata.combining(placed[0]))
        for letter, at in ordered:
            start, end = (at, at) if ordered == run else (run[0][1], run[-1][1])
            yield Character(letter, start, end + 1)


def locate(words: Sequence[Sequence[str]], pieces: Sequence[Sequence[str]], text: Sequence[Character]) -> np.ndarray:
    """Return where each piece of each word begins and ends in the text: int32, (pieces, 2).

    Args:
        words: from `basic_tokenize`. Between their characters, `text` has only those that it dropped.
        pieces: of each word, from `wordpiece_tokenize`.
        text: from `normalized_characters`.
    """
    unread = iter(text)
    spans = []
    for word, its_pieces in zip(words, pieces, strict=True):
        # No character is both kept and dropped, so the next one that is equal is the right one.
        places = [next(read for read in unread if read.character == character) for character in word]
        lengths = [len(piece.removeprefix(CONTINUATION)) for piece in its_pieces]
        if len(lengths) == 1:  # the whole word, or [UNK], whose length is not the word's
            lengths = [len(word)]
        for end, length in zip(np.cumsum(lengths), lengths, strict=True):
            spans.append((places[end - length].start, places[end - 1].end))
    return np.array(spans, "int32").reshape(-1, 2)
