"""A prepared corpus on disk: the ids of all its pieces, and where its sentences and its documents begin.

It is read through memory maps, so a corpus may be larger than memory.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from course.data.text.vocabulary import Vocabulary
from course.errors import CourseError
from course.storage.atomic import atomic_file
from course.validation.values import require_instance

# A folder of another version is not read: increase this when the meaning of the files changes.
VERSION = 1

_DESCRIPTION, _VOCABULARY, _COUNTS = "corpus.json", "vocabulary.txt", "counts.npy"
_PARTS = ("pieces", "sentence_starts", "document_starts")


@dataclass(frozen=True)
class Shard:
    """A part of a corpus, of whole documents, small enough to be processed as one.

    Attributes:
        pieces: (pieces,), the ids of all sentences, one after the other, without [CLS] or [SEP].
        sentence_starts: (sentences + 1,), where each sentence begins in the pieces, and last the number of pieces.
        document_starts: (documents + 1,), where each document begins in the sentences, and last their number.
    """

    pieces: np.ndarray
    sentence_starts: np.ndarray
    document_starts: np.ndarray

    @classmethod
    def of_lengths(cls, pieces: np.ndarray, sentence_lengths: np.ndarray, document_lengths: np.ndarray) -> Shard:
        """Make a shard from the number of pieces of each sentence and of sentences of each document."""
        return cls(pieces, _starts(sentence_lengths), _starts(document_lengths))

    def only(self, documents: np.ndarray) -> Shard:
        """Return a shard with the documents for which `documents`, (documents,), is True."""
        sentences = np.repeat(documents, np.diff(self.document_starts))  # (sentences,)
        sentence_lengths = np.diff(self.sentence_starts)
        pieces = self.pieces[np.repeat(sentences, sentence_lengths)]
        return Shard.of_lengths(pieces, sentence_lengths[sentences], np.diff(self.document_starts)[documents])

    def save(self, folder: Path, number: int) -> None:
        """Write the shard's files.

        Raises:
            CourseError: they cannot be written.
        """
        for part in _PARTS:
            with atomic_file(_path(folder, part, number)) as draft, draft.open("wb") as file:
                np.save(file, getattr(self, part))

    @classmethod
    def open(cls, folder: Path, number: int) -> Shard:
        """Map the shard's files into memory."""
        return cls(*(np.load(_path(folder, part, number), mmap_mode="r") for part in _PARTS))


class TokenArrays:
    """A prepared corpus.

    Args:
        folder: what `course.data.corpus.preparation.prepare` has written.

    Attributes:
        description: what the corpus was made from, and its size: "key", "name", "lowercase", "documents", "sentences",
            "pieces", "shards", and "left_out", the number of documents of fewer than two pieces.
        vocabulary: which id stands for which piece.
        counts: (vocabulary_size,), how often each piece occurs.
        num_shards: how many parts it has.

    Raises:
        CourseError: the folder has no prepared corpus, or it is damaged.
        TypeError: `folder` is not a path.
    """

    def __init__(self, folder: Path) -> None:
        require_instance(folder, "folder", Path)
        self.folder = folder
        self._keep: Callable[[Shard], np.ndarray] | None = None
        description = read_description(folder)
        if description is None:
            raise CourseError(f"{folder} holds no prepared corpus. `python -m course prepare --to {folder}` makes one.")
        self.description = description
        try:
            self.vocabulary = Vocabulary.load(folder / _VOCABULARY)
            self.counts = np.load(folder / _COUNTS)
            self.num_shards = description["shards"]
            pieces = sum(len(self.shard(number).pieces) for number in range(self.num_shards))
        except (OSError, EOFError, ValueError) as error:
            raise _damaged(folder, error) from error
        if pieces != description["pieces"]:
            raise _damaged(folder, f"{description['pieces']} pieces were written, others are there")
        if len(self.counts) != len(self.vocabulary):
            raise _damaged(folder, f"{_COUNTS} counts {len(self.counts)} pieces, {_VOCABULARY} has others")

    def shard(self, number: int) -> Shard:
        """Open one of its parts. Each call opens it again, because a process may not have many files open."""
        shard = Shard.open(self.folder, number)
        return shard if self._keep is None else shard.only(self._keep(shard))

    def only(self, keep: Callable[[Shard], np.ndarray]) -> TokenArrays:
        """Return the corpus with only some of its documents. Its description and counts still cover all of them.

        Args:
            keep: returns which documents of a shard to keep, (documents,), boolean.
        """
        part = copy.copy(self)
        part._keep = keep
        return part

    @property
    def key(self) -> str:
        """A hash of everything that the corpus was made from."""
        return self.description["key"]

    def word_probabilities(self) -> np.ndarray:
        """Return the frequency of each piece in the corpus; special tokens have 0.

        Returns:
            (vocabulary_size,), float64: what `course.masked_lm.unigram_probabilities` gives for the whole corpus.
        """
        counts = self.counts.astype("float64")
        counts[list(self.vocabulary.special_ids)] = 0.0
        return counts / counts.sum()


def read_description(folder: Path) -> dict[str, Any] | None:
    """Return the description of a prepared corpus; None if the folder has none of this version."""
    try:
        description = json.loads((folder / _DESCRIPTION).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise _damaged(folder, error) from error
    if not isinstance(description, dict):
        raise _damaged(folder, f"{_DESCRIPTION} must hold an object, not a {type(description).__name__}")
    if description.get("version") != VERSION:
        return None
    missing = [name for name in ("key", "pieces", "shards") if name not in description]
    if missing:
        raise _damaged(folder, f"{_DESCRIPTION} does not say {', '.join(missing)}")
    return description


def write_rest(folder: Path, vocabulary: Vocabulary, counts: np.ndarray, description: dict[str, Any]) -> None:
    """Write what a prepared corpus has besides its shards.

    Raises:
        CourseError: a file cannot be written.
    """
    with atomic_file(folder / _VOCABULARY) as draft:
        vocabulary.save(draft)
    with atomic_file(folder / _COUNTS) as draft:
        np.save(draft, counts)
    with atomic_file(folder / _DESCRIPTION) as draft:
        draft.write_text(json.dumps({"version": VERSION, **description}, indent=2) + "\n", encoding="utf-8")


def _path(folder: Path, part: str, number: int) -> Path:
    return folder / f"{part}-{number:05}.npy"


def _starts(lengths: np.ndarray | Sequence[int]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(lengths, dtype="int64")])


def _damaged(folder: Path, reason: object) -> CourseError:
    if isinstance(reason, OSError) and not isinstance(reason, FileNotFoundError):
        return CourseError(f"{folder} cannot be read: {reason}. Try again when the disk can be read.")
    return CourseError(f"{folder} is damaged: {reason}. Delete it and run `python -m course prepare` again.")
