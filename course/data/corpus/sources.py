"""Texts to pretrain on, read as a stream of documents: AG News, the course's sample, or a folder of your own."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from course.data.corpus.own_files import KINDS, Document, approximate_characters, documents_of, find_files
from course.data.datasets import load_ag_news, load_sample
from course.data.tables.opened import kind_of
from course.data.tables.table import TABLES
from course.data.text.sentences import ENGLISH, require_language, split_sentences
from course.errors import CourseError
from course.validation.values import require_texts

AG_NEWS, SAMPLE = "ag_news", "sample"

_SAMPLE_TRAINING_ROWS = 4000

_WANTED = f"Name {AG_NEWS}, {SAMPLE}, a file ({', '.join(KINDS)}, also .gz), or a folder that has such files."


@dataclass(frozen=True)
class Corpus:
    """Texts, and a hash that identifies them.

    Attributes:
        name: what to call the corpus.
        size: its approximate length in characters.
        digest: a hash of its whole content.
        documents: returns a new iterator over the documents, from the first one.
        skipped: the files of its folder whose kind cannot be read.
    """

    name: str
    size: int
    digest: str
    documents: Callable[[], Iterator[Document]]
    skipped: tuple[Path, ...] = ()


def open_corpus(source: str, columns: Sequence[str] = (), language: str = ENGLISH) -> Corpus:
    """Find a corpus.

    Args:
        source: "ag_news" (its training rows), "sample" (its first 4,000 rows), or a path: a file, or a folder, of
            which all readable files are read. `documents_of` says what a document is.
        columns: the columns of a table that hold its text.
        language: of its sentences, as for `split_sentences`.

    Raises:
        CourseError: the corpus does not exist, has no text, or has no columns to choose.
        TypeError: `columns` is a single string, or has something that is not a string.
        ValueError: `language` is not a language code.
    """
    require_language(language)
    columns = require_texts(columns, "columns")
    if not source:  # as a path, "" would be the current folder
        raise CourseError(f"no corpus is named. {_WANTED}")
    if columns and source in (AG_NEWS, SAMPLE):
        raise CourseError(f"{source} has no columns to choose; all of its text is read. Given: {', '.join(columns)}.")
    if source == AG_NEWS:
        try:
            return _of_articles(source, load_ag_news()["train"], language)
        except (OSError, ValueError) as error:  # a ConnectionError is an OSError
            raise CourseError(str(error)) from error
    if source == SAMPLE:
        return _of_articles(source, load_sample()[:_SAMPLE_TRAINING_ROWS], language)
    return _of_files(Path(source), tuple(columns), language)


def _of_articles(name: str, articles: pd.DataFrame, language: str) -> Corpus:
    """The title of an article is its first sentence."""
    texts = list(zip(articles["title"], articles["description"], strict=True))

    def documents() -> Iterator[Document]:
        for title, description in texts:
            yield [title, *split_sentences(description, language)]

    digest = hashlib.sha256(language.encode())
    for article in texts:
        digest.update("\0".join((*article, "")).encode())
    return Corpus(
        name, sum(len(title) + len(description) for title, description in texts), digest.hexdigest(), documents
    )


def _of_files(path: Path, columns: tuple[str, ...], language: str) -> Corpus:
    files, skipped = find_files(path, _WANTED)
    if columns and not any(kind_of(file) in TABLES for file in files):
        raise CourseError(f"{path} has no table, so no column {', '.join(columns)}. Leave out --column.")

    def documents() -> Iterator[Document]:
        for file in files:
            yield from documents_of(file, columns, language)

    digest = hashlib.sha256(repr((columns, language)).encode())
    for file in files:
        digest.update(kind_of(file).encode())
        with file.open("rb") as content:
            digest.update(hashlib.file_digest(content, "sha256").digest())
    return Corpus(path.name, sum(map(approximate_characters, files)), digest.hexdigest(), documents, tuple(skipped))
