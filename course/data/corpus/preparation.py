"""Make the token arrays of a corpus: learn a vocabulary, then turn the text into ids, a chunk at a time.

This takes two passes over the text. Memory does not grow with the corpus: it holds only a few chunks at once.
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

# Called now and then with the current step and the number of characters done in it.
Progress = Callable[[str, int], None]

_CHUNK = 2_000_000  # characters that are turned into ids at a time
_CHUNKS_AT_ONCE = 8
_MOST_THREADS = 4  # more would wait for each other: the rest is Python, which only one thread runs at a time
_SHARD = 1 << 24  # pieces; an epoch is planned a shard at a time
_VOCABULARY_SAMPLE = 100_000_000  # characters; more of them change few pieces


class _Tokens(NamedTuple):
    """The ids of a chunk of text."""

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
    """Make the token arrays of a corpus, or open them if they exist already.

    Args:
        corpus: what to read.
        folder: where to write. It is written atomically: it appears only when it is complete.
        executor: runs the tokenization: threads, processes, or a cluster. The result is the same.
        vocabulary: the pieces to use. None: they are learned from the corpus.
        vocabulary_size: the largest number of pieces to learn.
        lowercase: whether case and accents are dropped.
        progress: called with the current step and how far it is.

    Returns:
        The arrays.

    Raises:
        CourseError: the folder holds another corpus, or cannot be written; the corpus has too little text, or the
            vocabulary has none of its words.
        TypeError: an argument is not a corpus, a path, an executor or a vocabulary.
    """
    require_instance(corpus, "corpus", Corpus)
    require_instance(folder, "folder", Path)
    require_instance(executor, "executor", Executor)
    if vocabulary is not None:
        require_instance(vocabulary, "vocabulary", Vocabulary)
    key = _key(corpus, vocabulary, vocabulary_size, lowercase)
    description = read_description(folder)
    if description is not None and description["key"] == key:
        return TokenArrays(folder)
    if folder.exists():
        raise CourseError(
            f"{folder} exists already, and is not {corpus.name} prepared in this way. "
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
                "Name a vocabulary of the same language (a cased one with --cased), or leave --vocabulary out to learn "
                "one."
            )
        write_rest(draft, vocabulary, counts, {"key": key, "name": corpus.name, "lowercase": lowercase, **totals})
    return TokenArrays(folder)


def threads() -> ThreadPoolExecutor:
    """The executor for one machine: threads, because TensorFlow Text lets other threads run meanwhile."""
    return ThreadPoolExecutor(min(os.cpu_count() or 1, _MOST_THREADS))


def tokenize(documents: list[Document], pieces: tuple[str, ...], lowercase: bool) -> _Tokens:
    """Turn documents into ids. Documents of fewer than two pieces are left out: there is nothing to learn from them."""
    tokenizer = _tokenizer(pieces, lowercase)
    ids, lengths = tokenizer.encode_flat(sentence for document in documents for sentence in document)
    number = np.repeat(np.arange(len(documents)), [len(document) for document in documents])  # (sentences,)
    pieces_of_document = np.bincount(number, weights=lengths, minlength=len(documents))  # pieces of each document
    kept = (lengths > 0) & (pieces_of_document[number] >= 2)  # (sentences,)
    document_lengths = np.bincount(number[kept], minlength=len(documents))
    ids = ids[np.repeat(kept, lengths)].astype(np.min_scalar_type(len(pieces) - 1))
    document_lengths = document_lengths[document_lengths > 0]
    return _Tokens(ids, lengths[kept], document_lengths, len(documents) - len(document_lengths))


@lru_cache(maxsize=1)
def _tokenizer(pieces: tuple[str, ...], lowercase: bool) -> Any:
    from course.data.text.wordpiece import WordPieceTokenizer

    return WordPieceTokenizer(Vocabulary(pieces), lowercase)


def _key(corpus: Corpus, vocabulary: Vocabulary | None, vocabulary_size: int, lowercase: bool) -> str:
    vocabulary_key = vocabulary_size if vocabulary is None else list(vocabulary)
    content = json.dumps([VERSION, corpus.digest, vocabulary_key, lowercase])
    return hashlib.sha256(content.encode()).hexdigest()


def _learn(corpus: Corpus, size: int, lowercase: bool, progress: Progress) -> Vocabulary:
    """Learn a vocabulary from all documents or, of a large corpus, from a random sample of them."""
    random = np.random.default_rng(0)
    share = min(1.0, _VOCABULARY_SAMPLE / max(1, corpus.size))
    sample: list[str] = []
    read = 0
    for chunk in _chunks(corpus.documents()):
        for document in chunk:
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
    """Yield the ids of the corpus in order, however many chunks are worked on at once."""
    pieces = tuple(vocabulary)
    waiting: deque[tuple[int, Future[_Tokens]]] = deque()
    done = 0
    for chunk in _chunks(corpus.documents()):
        waiting.append((sum(map(_characters, chunk)), executor.submit(tokenize, chunk, pieces, lowercase)))
        while len(waiting) >= _CHUNKS_AT_ONCE or (waiting and waiting[0][1].done()):
            characters, tokens = waiting.popleft()
            yield tokens.result()
            done += characters
            progress("Turning text into ids", done)
    for characters, tokens in waiting:
        yield tokens.result()
        done += characters
        progress("Turning text into ids", done)


def _chunks(documents: Iterable[Document]) -> Iterator[list[Document]]:
    chunk: list[Document] = []
    characters = 0
    for document in documents:
        chunk.append(document)
        characters += _characters(document)
        if characters >= _CHUNK:
            yield chunk
            chunk, characters = [], 0
    if chunk:
        yield chunk


def _characters(document: Document) -> int:
    return sum(map(len, document))


def _write_shards(folder: Path, tokens: Iterable[_Tokens], vocabulary_size: int) -> dict[str, Any]:
    """Write the ids, and return how many documents, sentences, pieces and shards there are."""
    counts = np.zeros(vocabulary_size, "int64")
    totals = {"documents": 0, "sentences": 0, "pieces": 0, "shards": 0, "left_out": 0}
    unsaved: list[_Tokens] = []

    def write() -> None:
        if unsaved:
            Shard.of_lengths(*map(np.concatenate, zip(*(part[:3] for part in unsaved), strict=True))).save(
                folder, totals["shards"]
            )
            totals["shards"] += 1
            unsaved.clear()

    for tokens_of_chunk in tokens:
        counts += np.bincount(tokens_of_chunk.pieces, minlength=vocabulary_size)
        totals["documents"] += len(tokens_of_chunk.document_lengths)
        totals["sentences"] += len(tokens_of_chunk.sentence_lengths)
        totals["pieces"] += len(tokens_of_chunk.pieces)
        totals["left_out"] += tokens_of_chunk.left_out
        unsaved.append(tokens_of_chunk)
        if sum(len(part.pieces) for part in unsaved) >= _SHARD:
            write()
    write()
    return {**totals, "counts": counts}
