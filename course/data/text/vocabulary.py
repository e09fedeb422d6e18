"""The vocabulary of a model: the pieces that it knows, and the id of each.

It is read from a file, or learned from your own text.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from string import printable

import numpy as np
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.trainers import WordPieceTrainer

from course.tokenization import CONTINUATION, SPECIAL_TOKENS, basic_tokenize, is_cjk, is_punctuation
from course.validation.values import require_sizes, require_texts


class Vocabulary(Mapping[str, int]):
    """The pieces that a model knows, in the order of their ids: `vocabulary[piece]` is an id.

    Args:
        pieces: all pieces, the one with id 0 first. The five special tokens must be among them.

    Raises:
        TypeError: pieces that are not strings.
        ValueError: a piece occurs twice or is empty, or a special token is missing.

    Example:
        >>> vocabulary = Vocabulary.load("vocab.txt")
        >>> vocabulary["[MASK]"], len(vocabulary)
        (103, 30522)
        >>> vocabulary.pieces_of(vocabulary.ids_of(["the", "no-such-piece"]))
        ['the', '[UNK]']
    """

    def __init__(self, pieces: Iterable[str]) -> None:
        self._pieces = require_texts(pieces, "pieces")
        self._ids = {piece: number for number, piece in enumerate(self._pieces)}
        if len(self._ids) < len(self._pieces):
            repeated = next(piece for number, piece in enumerate(self._pieces) if self._ids[piece] != number)
            raise ValueError(f"each piece must be in the vocabulary once. Received: {repeated!r} more than once")
        if "" in self._ids:
            raise ValueError(
                f"a piece must not be empty. Received: an empty one in line {self._ids[''] + 1}; remove it"
            )
        missing = [token for token in SPECIAL_TOKENS if token not in self._ids]
        if missing:
            raise ValueError(
                f"the vocabulary must hold the special tokens {', '.join(SPECIAL_TOKENS)}. "
                f"Received: {len(self._pieces)} pieces without {', '.join(missing)}"
            )
        self.padding_id, self.unknown_id, self.cls_id, self.sep_id, self.mask_id = self.special_ids

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Vocabulary:
        """Reads a vocabulary from a file in BERT's own form, `vocab.txt`: one piece a line, from id 0 on.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: what is in it is not such a vocabulary.
        """
        try:
            with Path(path).open(encoding="utf-8") as lines:
                return cls(line.rstrip("\n") for line in lines)
        except ValueError as error:  # a UnicodeDecodeError is one
            raise ValueError(f"{path} is not a vocabulary with one piece a line: {error}") from error

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file that `load` reads."""
        Path(path).write_text("".join(f"{piece}\n" for piece in self._pieces), encoding="utf-8", newline="\n")

    def drops_case(self, said: bool | None) -> bool:
        """Return whether texts lose case and accents: `said`, or if that is None, unless a piece has a capital."""
        if said is not None:
            return said
        return all(piece == piece.lower() for piece in self._pieces if piece not in SPECIAL_TOKENS)

    def __getitem__(self, piece: str) -> int:
        return self._ids[piece]

    def __contains__(self, piece: object) -> bool:
        return piece in self._ids

    def __iter__(self) -> Iterator[str]:
        return iter(self._pieces)

    def __len__(self) -> int:
        return len(self._pieces)

    @property
    def special_ids(self) -> tuple[int, ...]:
        """The ids of `SPECIAL_TOKENS`, in their order."""
        return tuple(self._ids[token] for token in SPECIAL_TOKENS)

    def ids_of(self, pieces: Iterable[str]) -> list[int]:
        """Return the id of each piece, and that of [UNK] for a piece that the vocabulary does not have.

        Raises:
            TypeError: `pieces` is a single string, or has something that is not a string.
        """
        return [self._ids.get(piece, self.unknown_id) for piece in require_texts(pieces, "pieces")]

    def pieces_of(self, ids: Sequence[int]) -> list[str]:
        """Return the piece of each id.

        Raises:
            ValueError: the vocabulary does not have an id, or `ids` are those of several texts.
        """
        if np.ndim(ids) != 1:
            raise ValueError(f"ids must be those of one text, without other axes. Received: {np.shape(ids)}")
        for number in ids:
            if not isinstance(number, int | np.integer):
                raise ValueError(f"ids must be whole numbers. Received: {number!r}")
            if not 0 <= number < len(self._pieces):
                raise ValueError(
                    f"ids must lie between 0 and {len(self._pieces) - 1}, the size of the vocabulary less 1. "
                    f"Received: {number}"
                )
        return [self._pieces[number] for number in ids]


def train_vocabulary(texts: Iterable[str], size: int, lowercase: bool = True, min_frequency: int = 2) -> Vocabulary:
    """Learn the vocabulary of your own field, with the trainer of Hugging Face's `tokenizers`.

    It holds every ASCII letter and digit, at the start of a word and inside it, and every character of the texts. So a
    code such as "a317" is at worst cut into characters, and never [UNK]. The same texts give the same vocabulary.

    Args:
        texts: what to learn from. They are split into words as by `basic_tokenize`.
        size: the largest number of pieces, including special tokens and single characters. A small text may give
            fewer.
        lowercase: whether case and accents are dropped first. A model that reads with this vocabulary must do
            the same, or else it reads a flood of [UNK].
        min_frequency: how often a pair of pieces must occur to be merged into one.

    Returns:
        The vocabulary; the special tokens have the ids 0 to 4.

    Raises:
        TypeError: `texts` is a single string, or has something that is not a string.
        ValueError: a number is not a valid size, or `size` is too small for the special tokens and single characters.

    Example:
        >>> vocabulary = train_vocabulary(articles["description"], size=8000)
        >>> vocabulary.save("vocab.txt")
    """
    require_sizes(size=size, min_frequency=min_frequency)
    texts = require_texts(texts, "texts")
    always = [*SPECIAL_TOKENS, *_alphabet(texts, lowercase)]
    if len(always) > size:
        raise ValueError(
            f"size must be at least {len(always)} for these texts: the special tokens and all single "
            f"characters. Received: size={size}"
        )
    tokenizer = Tokenizer(WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer(lowercase=lowercase)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    # The trainer numbers single characters in an order that differs between runs, and breaks ties between equally
    # frequent pairs by these numbers. As "special tokens" the characters get the same numbers every time.
    trainer = WordPieceTrainer(
        vocab_size=size,
        min_frequency=min_frequency,
        special_tokens=always,
        continuing_subword_prefix=CONTINUATION,
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    pieces = tokenizer.get_vocab()
    return Vocabulary(sorted(pieces, key=pieces.__getitem__))


def _alphabet(texts: Sequence[str], lowercase: bool) -> list[str]:
    """Return every ASCII character and every character of the texts, as the first piece of a word and inside one."""
    seen = set(printable).union(*(text for text in texts if not text.isascii()))
    characters = sorted(set().union(*basic_tokenize(" ".join(sorted(seen)), lowercase)))
    inside = [character for character in characters if not is_punctuation(character) and not is_cjk(character)]
    return characters + [CONTINUATION + character for character in inside]
