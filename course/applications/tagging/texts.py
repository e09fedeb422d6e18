"""Texts with a tag for each word, and the rows of tokens that an encoder reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from course.classification import Inputs
from course.data.text.offsets import EncodedText
from course.data.text.wordpiece import WordPieceTokenizer
from course.entities import Span, align_labels, bio_tags, entities_of
from course.validation.values import require_instance, require_sizes, require_texts

SAMPLE_KINDS = ("person", "place", "organization", "product")


class TaggedText(NamedTuple):
    """A text with the positions of its words, and their tags.

    Attributes:
        text: the unchanged string.
        offsets: (words, 2), the index of each word's first character, and the index after its last one.
        tags: one for each word.
    """

    text: str
    offsets: np.ndarray
    tags: list[str]

    @property
    def words(self) -> list[str]:
        return [self.text[start:end] for start, end in self.offsets]

    def names(self, strict: bool = False) -> list[Span]:
        """Return the names in the order of the text, by their characters: (start, end, kind) of `text[start:end]`."""
        names = entities_of(self.tags, strict)
        return [(int(self.offsets[first, 0]), int(self.offsets[last - 1, 1]), kind) for first, last, kind in names]


def tag_names(kinds: Iterable[str]) -> list[str]:
    """Return the tags for names of these kinds, in the order of their ids: O, and for each kind B and I."""
    return ["O", *(f"{prefix}-{kind}" for kind in kinds for prefix in "BI")]


def word_offsets(encoded: EncodedText) -> np.ndarray:
    """Return where each word of a text begins and ends: (words, 2). Words are those that the tokenizer has split."""
    first = np.flatnonzero(np.diff(encoded.word_ids, prepend=-1))  # the first piece of each word
    last = np.flatnonzero(np.diff(encoded.word_ids, append=-1))
    return np.stack([encoded.starts[first], encoded.ends[last]], axis=1)


def sample_texts(
    articles: pd.DataFrame, tokenizer: WordPieceTokenizer, sentences: int | None = None
) -> list[TaggedText]:
    """Return the articles of the sample with a tag for each word that the tokenizer finds.

    Args:
        articles: of `load_sample`.
        tokenizer: finds the words.
        sentences: how many of each article, from its beginning. None: all.
    """
    described = [" ".join(article[:sentences]) for article in articles["sentences"]]
    names = [
        [entity for entity in entities if entity.end <= len(text)]
        for text, entities in zip(described, articles["entities"], strict=True)
    ]
    offsets = [word_offsets(encoded) for encoded in tokenizer.encode_with_offsets(described)]
    return [
        TaggedText(text, places, bio_tags(places, spans))
        for text, places, spans in zip(described, offsets, names, strict=True)
    ]


def text_of_words(words: Sequence[str], tags: Sequence[str]) -> TaggedText:
    """Join given words, such as those of CoNLL's files, to a sentence, with a space between them.

    Raises:
        ValueError: an empty word, or not as many tags as words.
    """
    if len(words) != len(tags) or not all(words):
        raise ValueError(f"each word must have a character and a tag. Received: {len(words)} words, {len(tags)} tags")
    ends = np.cumsum([len(word) + 1 for word in words], dtype=int) - 1
    starts = ends - [len(word) for word in words]
    return TaggedText(" ".join(words), np.stack([starts, ends], axis=1).reshape(-1, 2), list(tags))


@dataclass(frozen=True)
class Rows:
    """The rows of tokens that an encoder reads. A text that is too long for one row is split between words.

    Attributes:
        inputs: "token_ids", "segment_ids" and "padding_mask", (rows, length) each.
        word_ids: (rows, length), the number of each token's word in its text; -1 for [CLS], [SEP] and padding.
        text_ids: (rows,), the number of each row's text.
    """

    inputs: Inputs
    word_ids: np.ndarray
    text_ids: np.ndarray

    def labels(self, texts: Sequence[TaggedText], tag_ids: Mapping[str, int]) -> np.ndarray:
        """Return the labels of all tokens, (rows, length), by `align_labels`."""
        rows = zip(self.text_ids, self.word_ids, strict=True)
        return np.stack([align_labels(texts[text].tags, word_ids, tag_ids) for text, word_ids in rows])


def read_rows(
    texts: Sequence[str], offsets: Sequence[np.ndarray], tokenizer: WordPieceTokenizer, max_length: int
) -> Rows:
    """Split texts into pieces and rows.

    A piece belongs to the word that contains its first character. If a word has more pieces than a row, only the first
    ones are read.

    Args:
        texts: unchanged strings.
        offsets: of the words of each text, (words, 2).
        tokenizer: makes the pieces.
        max_length: the longest row, with [CLS] and [SEP].

    Raises:
        TypeError: not a tokenizer, or texts that are not strings.
        ValueError: no texts, not as many offsets as texts, or rows that are too short for a word.
    """
    require_instance(tokenizer, "tokenizer", WordPieceTokenizer)
    require_sizes(max_length=max_length)
    texts = require_texts(texts, "texts")
    if not texts or len(texts) != len(offsets):
        raise ValueError(
            "there must be at least one text, and offsets for each. "
            f"Received: {len(texts)} texts and {len(offsets)} offsets"
        )
    if max_length < 3:
        raise ValueError(f"max_length must be at least 3, for [CLS], a piece and [SEP]. Received: {max_length}")
    pieces: list[np.ndarray] = []
    words: list[np.ndarray] = []
    text_ids: list[int] = []
    for number, (encoded, places) in enumerate(zip(tokenizer.encode_with_offsets(texts), offsets, strict=True)):
        of_word = np.searchsorted(places[:, 0], encoded.starts, side="right") - 1 if len(places) else encoded.word_ids
        for first, last in _cuts(of_word, max_length - 2):
            pieces.append(encoded.token_ids[first:last])
            words.append(of_word[first:last])
            text_ids.append(number)
    inputs = tokenizer.pack(pieces, None, max_length)
    word_ids = np.full((len(pieces), max_length), -1, "int32")
    for row, ids in enumerate(words):
        word_ids[row, 1 : len(ids) + 1] = ids
    return Rows(inputs, word_ids, np.array(text_ids, "int32"))


def _cuts(of_word: np.ndarray, room: int) -> list[tuple[int, int]]:
    """Return the first piece of each row, and the one after its last. A text without pieces has one empty row."""
    starts = np.flatnonzero(np.diff(of_word, prepend=-2))  # the first piece of each word
    cuts, begin = [], 0
    while len(of_word) - begin > room:
        end = starts[np.searchsorted(starts, begin + room, side="right") - 1]  # the last word that begins in reach
        if end > begin:
            cuts.append((begin, int(end)))
        else:  # one word fills the row: skip its remaining pieces
            cuts.append((begin, begin + room))
            later = starts[starts > begin]
            end = later[0] if len(later) else len(of_word)
        begin = int(end)
    return [*cuts, (begin, len(of_word))] if begin < len(of_word) or not cuts else cuts
