"""Makes the token arrays of a corpus: a vocabulary is learned, and the text is turned into ids, a stretch at a time.

Two passes over the text. Memory does not grow with the corpus, for no more than a few stretches are in it at once.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from course.data.corpus.sources import Corpus, Document
from course.data.corpus.token_arrays import VERSION, Shard, TokenArrays, read_description, write_rest
from course.data.text.vocabulary import Vocabulary, train_vocabulary
from course.errors import CourseError
from course.storage.atomic import atomic_folder
from course.validation.values import require_instance

# What is called now and then: what is being done, and how many characters of it are done.
Progress = Callable[[str, int], None]

_STRETCH = 2_000_000  # characters that are turned into ids at a time
_STRETCHES_AT_ONCE = 8
_MOST_THREADS = 4  # all else is Python, which only one of them runs at a time
_SHARD = 1 << 24  # pieces; an epoch is planned a shard at a time
_VOCABULARY_SAMPLE = 100_000_000  # characters; more of them change few pieces


class _Tokens(NamedTuple):
    """The ids of a stretch of text."""

    pieces: np.ndarray
    sentence_lengths: np.ndarray
    document_lengths: np.ndarray
    left_out: int  # documents


def prepare(
    corpus: Corpus,
    folder: Path,
    executor: Executor,
    *,
    vocabulary: Vocabulary | None = None,
    vocabulary_size: int = 8000,
    lowercase: bool = True,
    progress: Progress = lambda what, done: None,
) -> TokenArrays:
    """Makes the token arrays of a corpus, or finds them made.

    Args:
        corpus: what to read.
        folder: where to write. It comes into being at the end, whole.
        executor: where text is turned into ids: threads, processes, or a cluster. The result is the same.
        vocabulary: which pieces there are. None: they are learned from the corpus.
        vocabulary_size: how many are learned at most.
        lowercase: whether case and accents are dropped.
        progress: is told how far it is.

    Returns:
        The arrays.

    Raises:
        CourseError: the folder holds another corpus, or cannot be written; there is too little text, or the vocabulary
            has no word of it.
        TypeError: what is no corpus, no path, no executor or no vocabulary.
    """
    require_instance(corpus, "corpus", Corpus)
    require_instance(folder, "folder", Path)
    require_instance(executor, "executor", Executor)
    if vocabulary is not None:
        require_instance(vocabulary, "vocabulary", Vocabulary)
    key = _key(corpus, vocabulary, vocabulary_size, lowercase)
    found = read_description(folder)
    if found is not None and found["key"] == key:
        return TokenArrays(folder)
    if folder.exists():
        raise CourseError(
            f"{folder} is there already, and is not {corpus.name} prepared in this way. "
            "Name another folder, or delete it."
        )
    if vocabulary is None:
        vocabulary = _learn(corpus, vocabulary_size, lowercase, progress)
    with atomic_folder(folder) as draft:
        totals = _write_shards(draft, _tokenized(corpus, vocabulary, lowercase, executor, progress), len(vocabulary))
        counts = totals.pop("counts")
        if not totals["documents"]:
            raise CourseError(f"{corpus.name} has no document of two words or more.")
        if not np.delete(counts, vocabulary.special_ids).any():
            raise CourseError(
                f"no word of {corpus.name} is in the vocabulary of {len(vocabulary):,} pieces: all would be [UNK]. "
                "Name one of the same language, which has case where --cased is given, or let one be learned."
            )
        write_rest(draft, vocabulary, counts, {"key": key, "name": corpus.name, "lowercase": lowercase, **totals})
    return TokenArrays(folder)


def threads() -> ThreadPoolExecutor:
    """Where text is turned into ids on one machine: TensorFlow Text lets other threads of a process work meanwhile."""
    return ThreadPoolExecutor(min(os.cpu_count() or 1, _MOST_THREADS))


def tokenize(documents: list[Document], pieces: tuple[str, ...], lowercase: bool) -> _Tokens:
    """Turns documents into ids. Those of less than two pieces are left out: there is nothing to learn from them."""
    tokenizer = _tokenizer(pieces, lowercase)
    ids, lengths = tokenizer.encode_flat(sentence for document in documents for sentence in document)
    number = np.repeat(np.arange(len(documents)), [len(document) for document in documents])  # (sentences,)
    of_document = np.bincount(number, weights=lengths, minlength=len(documents))  # pieces of each document
    kept = (lengths > 0) & (of_document[number] >= 2)  # (sentences,)
    document_lengths = np.bincount(number[kept], minlength=len(documents))
    ids = ids[np.repeat(kept, lengths)].astype(np.min_scalar_type(len(pieces) - 1))
    document_lengths = document_lengths[document_lengths > 0]
    return _Tokens(ids, lengths[kept], document_lengths, len(documents) - len(document_lengths))


@lru_cache(maxsize=1)
def _tokenizer(pieces: tuple[str, ...], lowercase: bool) -> Any:
    from course.data.text.wordpiece import WordPieceTokenizer

    return WordPieceTokenizer(Vocabulary(pieces), lowercase)


def _key(corpus: Corpus, vocabulary: Vocabulary | None, vocabulary_size: int, lowercase: bool) -> str:
    wanted = vocabulary_size if vocabulary is None else list(vocabulary)
    made_of = json.dumps([VERSION, corpus.digest, wanted, lowercase])
    return hashlib.sha256(made_of.encode()).hexdigest()


def _learn(corpus: Corpus, size: int, lowercase: bool, progress: Progress) -> Vocabulary:
    """Learns from all documents, or from as many, at random, as are enough."""
    random = np.random.default_rng(0)
    share = min(1.0, _VOCABULARY_SAMPLE / max(1, corpus.size))
    sample: list[str] = []
    read = 0
    for stretch in _stretches(corpus.documents()):
        for document in stretch:
            read += _characters(document)
            if share == 1.0 or random.random() < share:
                sample += document
        progress("Reading", read)
    progress("Learning the vocabulary", read)
    try:
        return train_vocabulary(sample, size, lowercase)
    except ValueError as error:
        raise CourseError(str(error)) from error


def _tokenized(
    corpus: Corpus, vocabulary: Vocabulary, lowercase: bool, executor: Executor, progress: Progress
) -> Iterator[_Tokens]:
    """The ids of the corpus in its order, however many stretches are worked on at once."""
    pieces = tuple(vocabulary)
    waiting: deque[tuple[int, Future[_Tokens]]] = deque()
    done = 0
    for stretch in _stretches(corpus.documents()):
        waiting.append((sum(map(_characters, stretch)), executor.submit(tokenize, stretch, pieces, lowercase)))
        while len(waiting) >= _STRETCHES_AT_ONCE or (waiting and waiting[0][1].done()):
            characters, tokens = waiting.popleft()
            yield tokens.result()
            done += characters
            progress("Turning text into ids", done)
    for characters, tokens in waiting:
        yield tokens.result()
        done += characters
        progress("Turning text into ids", done)


def _stretches(documents: Iterable[Document]) -> Iterator[list[Document]]:
    stretch: list[Document] = []
    characters = 0
    for document in documents:
        stretch.append(document)
        characters += _characters(document)
        if characters >= _STRETCH:
            yield stretch
            stretch, characters = [], 0
    if stretch:
        yield stretch


def _characters(document: Document) -> int:
    return sum(map(len, document))


def _write_shards(folder: Path, tokens: Iterable[_Tokens], vocabulary_size: int) -> dict[str, Any]:
    """Writes the ids, and says how many there are of everything."""
    counts = np.zeros(vocabulary_size, "int64")
    totals = {"documents": 0, "sentences": 0, "pieces": 0, "shards": 0, "left_out": 0}
    gathered: list[_Tokens] = []

    def write() -> None:
        if gathered:
            Shard.of_lengths(*map(np.concatenate, zip(*(part[:3] for part in gathered), strict=True))).save(
                folder, totals["shards"]
            )
            totals["shards"] += 1
            gathered.clear()

    for some in tokens:
        counts += np.bincount(some.pieces, minlength=vocabulary_size)
        totals["documents"] += len(some.document_lengths)
        totals["sentences"] += len(some.sentence_lengths)
        totals["pieces"] += len(some.pieces)
        totals["left_out"] += some.left_out
        gathered.append(some)
        if sum(len(part.pieces) for part in gathered) >= _SHARD:
            write()
    write()
    return {**totals, "counts": counts}
