"""The tokenizer for whole corpora: the rules of `course.tokenization`, at the speed of TensorFlow Text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from course.data.text.ascii_wordpiece import is_plain, plain_encoder
from course.data.text.offsets import EncodedText, locate, normalized_characters
from course.data.text.vocabulary import Vocabulary
from course.tokenization import basic_tokenize, wordpiece_tokenize
from course.validation.values import require_instance, require_sizes, require_texts

# Only ASCII spaces: other spaces and control characters need the slower, careful reading.
_SPACES = re.compile(r"[ \t\n\r]+")
_REMEMBERED = 1 << 16  # words, of some hundred bytes each


class WordPieceTokenizer:
    """Turn many texts into ids, and these into the arrays that a model reads.

    The ids of every text are those of `basic_tokenize` and `wordpiece_tokenize`. Plain ASCII, which most English is,
    goes through `tensorflow_text.FastBertTokenizer` or, if TensorFlow Text is not installed, through Hugging Face's
    `tokenizers`; the few other texts go through those two functions.

    Args:
        vocabulary: the pieces and their ids.
        lowercase: whether case and accents are dropped; it must be what the vocabulary was made with.

    Raises:
        TypeError: `vocabulary` is not a `Vocabulary`.

    Example:
        >>> tokenizer = WordPieceTokenizer(Vocabulary.load("vocab.txt"))
        >>> tokenizer.encode(["The café"])
        [array([1996, 7668], dtype=int32)]
        >>> inputs = tokenizer(titles, descriptions, max_length=128)
        >>> inputs["token_ids"].shape
        (120000, 128)
    """

    def __init__(self, vocabulary: Vocabulary, lowercase: bool = True) -> None:
        require_instance(vocabulary, "vocabulary", Vocabulary)
        self.vocabulary = vocabulary
        self.lowercase = lowercase
        self._encode_plain = plain_encoder(vocabulary, lowercase)
        self._ids_of = lru_cache(_REMEMBERED)(self._careful_ids)  # most words occur again and again

    def encode(self, texts: Iterable[str]) -> list[np.ndarray]:
        """Return the ids of each text, without [CLS], [SEP] or padding: a list of int32 arrays.

        Raises:
            TypeError: `texts` is a single string, or has something that is not a string.
        """
        ids, lengths = self.encode_flat(texts)
        ends = np.cumsum(lengths)
        return [ids[end - length : end] for end, length in zip(ends, lengths, strict=True)]

    def encode_flat(self, texts: Iterable[str]) -> tuple[np.ndarray, np.ndarray]:
        """Return the ids of all texts, one text after the other, as for a corpus on disk.

        Returns:
            ids: int32, (ids,), and
            lengths: (texts,), how many ids each text has.

        Raises:
            TypeError: as for `encode`.
        """
        texts = require_texts(texts, "texts")
        needs_care = np.array([not is_plain(text) for text in texts], bool)
        plain, plain_lengths = self._encode_plain(
            [text for text, care in zip(texts, needs_care, strict=True) if not care]
        )
        if not needs_care.any():
            return plain, plain_lengths
        careful = [self._encode_with_care(text) for text, care in zip(texts, needs_care, strict=True) if care]
        lengths = np.empty(len(texts), "int64")
        lengths[~needs_care], lengths[needs_care] = plain_lengths, [len(ids) for ids in careful]
        ids = np.empty(lengths.sum(), "int32")
        is_careful = np.repeat(needs_care, lengths)  # (ids,)
        ids[~is_careful], ids[is_careful] = plain, np.concatenate(careful)
        return ids, lengths

    def encode_with_offsets(self, texts: Iterable[str]) -> list[EncodedText]:
        """Return the ids of each text, as from `encode`, with the word and the characters that each id stands for.

        The characters are those of the text as given, even if case and accents are dropped. A control character, or an
        accent that is a character of its own, belongs to a piece only if it stands between two of its letters. If one
        character becomes several pieces, such as the letters of a Korean syllable, they share its place. An unknown
        word is one piece.

        This reads a text character by character. If you need no offsets, `encode` is many times as fast.

        Raises:
            TypeError: as for `encode`.

        Example:
            >>> text = "Zürich's lake"
            >>> encoded = tokenizer.encode_with_offsets([text])[0]
            >>> tokenizer.vocabulary.pieces_of(encoded.token_ids)
            ['zur', '##ich', "'", 's', 'lake']
            >>> encoded.word_ids
            array([0, 0, 1, 2, 3], dtype=int32)
            >>> [text[start:end] for start, end in zip(encoded.starts, encoded.ends)]
            ['Zür', 'ich', "'", 's', 'lake']
        """
        return [self._encode_with_offsets(text) for text in require_texts(texts, "texts")]

    def _encode_with_offsets(self, text: str) -> EncodedText:
        words = basic_tokenize(text, self.lowercase)
        pieces = [wordpiece_tokenize(word, self.vocabulary) for word in words]
        token_ids = self.vocabulary.ids_of([piece for its_pieces in pieces for piece in its_pieces])
        word_ids = np.repeat(np.arange(len(words), dtype="int32"), [len(its_pieces) for its_pieces in pieces])
        starts, ends = locate(words, pieces, normalized_characters(text, self.lowercase)).T
        return EncodedText(np.array(token_ids, "int32"), word_ids, starts, ends)

    def _encode_with_care(self, text: str) -> np.ndarray:
        """Encode by the rules of `course.tokenization`, which treat the parts between two spaces independently."""
        return np.array([number for part in _SPACES.split(text) for number in self._ids_of(part)], "int32")

    def _careful_ids(self, text: str) -> list[int]:
        words = basic_tokenize(text, self.lowercase)
        pieces = [piece for word in words for piece in wordpiece_tokenize(word, self.vocabulary)]
        return self.vocabulary.ids_of(pieces)

    def __call__(
        self, first: Iterable[str], second: Iterable[str] | None = None, max_length: int = 128
    ) -> dict[str, np.ndarray]:
        """Encode texts, or pairs of texts, and pack each as `pack_pair` does.

        Args:
            first: texts.
            second: as many other texts, or None.
            max_length: length of the rows.

        Returns:
            `token_ids`, `segment_ids` (int32) and `padding_mask` (boolean), each (texts, max_length).

        Raises:
            ValueError: `first` and `second` differ in number, or `max_length` is too small.
        """
        return self.pack(self.encode(first), None if second is None else self.encode(second), max_length)

    def pack(
        self, first: Sequence[np.ndarray], second: Sequence[np.ndarray] | None, max_length: int
    ) -> dict[str, np.ndarray]:
        """Pack ids as `pack_pair` does, many rows at a time. It returns and raises the same as `__call__`."""
        require_sizes(max_length=max_length)
        num_special = 2 if second is None else 3
        if max_length < num_special:
            raise ValueError(
                f"max_length must be at least {num_special}, for [CLS] and each [SEP]. "
                f"Received: max_length={max_length}"
            )
        if second is not None and len(first) != len(second):
            raise ValueError(
                f"each text needs its second one. Received: {len(first)} first and {len(second)} second texts"
            )
        first_lengths, second_lengths = _kept_lengths(first, second, max_length - num_special)
        first_ends = first_lengths + 2  # (rows,) after the first [SEP]
        ends = first_ends + (0 if second is None else second_lengths + 1)  # (rows,) after the last [SEP]

        token_ids = np.full((len(first), max_length), self.vocabulary.padding_id, "int32")
        token_ids[:, 0] = self.vocabulary.cls_id
        for row, (ids, length) in enumerate(zip(first, first_lengths, strict=True)):
            token_ids[row, 1 : length + 1] = ids[:length]
        for row, (ids, length) in enumerate(zip(second or (), second_lengths, strict=True)):
            token_ids[row, first_ends[row] : first_ends[row] + length] = ids[:length]
        rows = np.arange(len(first))
        token_ids[rows, first_ends - 1] = self.vocabulary.sep_id
        token_ids[rows, ends - 1] = self.vocabulary.sep_id

        positions = np.arange(max_length)
        padding_mask = positions < ends[:, None]  # (rows, max_length)
        segment_ids = (padding_mask & (positions >= first_ends[:, None])).astype("int32")
        return {"token_ids": token_ids, "segment_ids": segment_ids, "padding_mask": padding_mask}


def _kept_lengths(
    first: Sequence[np.ndarray], second: Sequence[np.ndarray] | None, room: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return how many ids of each text stay when the longer one is cut: half the room, or what the other leaves."""
    first_lengths = np.array([len(ids) for ids in first], int)
    if second is None:
        return np.minimum(first_lengths, room), np.array([], int)
    second_lengths = np.array([len(ids) for ids in second], int)
    kept_second = np.minimum(second_lengths, np.maximum(room // 2, room - first_lengths))
    return np.minimum(first_lengths, room - kept_second), kept_second
