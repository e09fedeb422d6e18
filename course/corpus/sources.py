"""Texts to pretrain on, read as a stream of documents: AG News, the course's sample, or a folder of one's own."""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from course.datasets import load_ag_news, load_sample
from course.errors import CourseError
from course.validation.values import require_text, require_texts

# The sentences of a text, in their order.
Document = list[str]

AG_NEWS, SAMPLE = "ag_news", "sample"

# Behind a full stop, before what may begin a sentence. It errs at "Mr. Smith", which does no harm: a sentence is
# only a place where a text may be cut in two.
_SENTENCE_END = re.compile(r"""(?:(?<=[.!?])|(?<=[.!?]["')\]]))\s+(?=["'(\[]*[A-Z])""")
_NUMBER = re.compile(r"[-+]?[\d.,]*")

# A book is read as several documents, and a line without end as several lines: memory must not grow with the corpus.
_MOST_SENTENCES = 1000
_MOST_CHARACTERS = 1 << 20

_SAMPLE_TRAINING_ROWS = 4000

_WANTED = f"Name {AG_NEWS}, {SAMPLE}, a .txt or .csv file, or a folder that has such files."


@dataclass(frozen=True)
class Corpus:
    """Texts, and what tells them from all others.

    Attributes:
        name: what to call it.
        size: its length in characters, about.
        digest: a hash of all that is in it.
        documents: starts to read it, from its beginning.
    """

    name: str
    size: int
    digest: str
    documents: Callable[[], Iterator[Document]]


def open_corpus(source: str, columns: Sequence[str] = ()) -> Corpus:
    """Finds a corpus.

    Args:
        source: "ag_news" (its training rows), "sample" (its first 4,000 rows), or a path: a file, or a folder whose
            .txt and .csv files are all read. In a .txt file blank lines part the documents, and a line holds one
            sentence or more. In a .csv file each row is a document.
        columns: which columns of a .csv file hold its text; its first row must then name them. None: every cell
            that is not a number.

    Raises:
        CourseError: it is not there, there is no text in it, or it has no columns to choose.
        TypeError: columns that are no strings, or are a single one.
    """
    columns = require_texts(columns, "columns")
    if not source:  # as a path it would be the current folder
        raise CourseError(f"no corpus is named. {_WANTED}")
    if columns and source in (AG_NEWS, SAMPLE):
        raise CourseError(f"{source} has no columns to choose; all of its text is read. Given: {', '.join(columns)}.")
    if source == AG_NEWS:
        try:
            return _of_articles(source, load_ag_news()["train"])
        except (OSError, ValueError) as error:  # a ConnectionError is an OSError
            raise CourseError(str(error)) from error
    if source == SAMPLE:
        return _of_articles(source, load_sample()[:_SAMPLE_TRAINING_ROWS])
    return _of_files(Path(source), tuple(columns))


def split_sentences(text: str) -> list[str]:
    """Cuts a text behind its full stops, question marks and exclamation marks.

    Example:
        >>> split_sentences("It rose by 0.5%. Why? Nobody knows.")
        ['It rose by 0.5%.', 'Why?', 'Nobody knows.']
    """
    require_text(text, "text")
    return [sentence for sentence in _SENTENCE_END.split(text.strip()) if sentence]


def _of_articles(name: str, articles: pd.DataFrame) -> Corpus:
    """The title of an article is its first sentence."""
    texts = list(zip(articles["title"], articles["description"], strict=True))

    def documents() -> Iterator[Document]:
        for title, description in texts:
            yield [title, *split_sentences(description)]

    digest = hashlib.sha256()
    for article in texts:
        digest.update("\0".join((*article, "")).encode())
    return Corpus(
        name, sum(len(title) + len(description) for title, description in texts), digest.hexdigest(), documents
    )


def _of_files(path: Path, columns: tuple[str, ...]) -> Corpus:
    if not path.exists():
        raise CourseError(f"{path} does not exist. {_WANTED}")
    found = path.rglob("*") if path.is_dir() else [path]
    files = sorted(file for file in found if file.suffix in (".txt", ".csv") and file.is_file())
    size = sum(file.stat().st_size for file in files)
    if not size:
        raise CourseError(f"{path} has no text: {len(files)} .txt and .csv files, with nothing in them.")

    def documents() -> Iterator[Document]:
        for file in files:
            yield from _documents_of_csv(file, columns) if file.suffix == ".csv" else _documents_of_text(file)

    digest = hashlib.sha256(repr(columns).encode())
    for file in files:
        with file.open("rb") as content:
            digest.update(hashlib.file_digest(content, "sha256").digest())
    return Corpus(path.name, size, digest.hexdigest(), documents)


def _documents_of_text(file: Path) -> Iterator[Document]:
    sentences: Document = []
    with file.open(encoding="utf-8") as text:
        for line in _lines(file, text):
            found = split_sentences(line)
            sentences += found
            if sentences and (not found or len(sentences) >= _MOST_SENTENCES):
                yield sentences
                sentences = []
    if sentences:
        yield sentences


def _lines(file: Path, text: io.TextIOBase) -> Iterator[str]:
    try:
        while line := text.readline(_MOST_CHARACTERS):
            yield line
    except UnicodeDecodeError as error:
        raise CourseError(f"{file} is not UTF-8 text ({error.reason}). Convert it, or take it out.") from error


def _documents_of_csv(file: Path, columns: tuple[str, ...]) -> Iterator[Document]:
    with file.open(encoding="utf-8", newline="") as text:
        rows = csv.reader(_lines(file, text))
        try:
            chosen = _places(file, next(rows, []), columns) if columns else None
            for row in rows:
                cells = row if chosen is None else [row[place] for place in chosen]
                yield [
                    sentence
                    for cell in cells
                    if chosen is not None or not _NUMBER.fullmatch(cell.strip())
                    for sentence in split_sentences(cell)
                ]
        except (csv.Error, IndexError) as error:
            raise CourseError(f"{file} is not a table: line {rows.line_num}: {error}.") from error


def _places(file: Path, header: list[str], columns: tuple[str, ...]) -> list[int]:
    missing = [column for column in columns if column not in header]
    if missing:
        raise CourseError(f"{file} has no column {', '.join(missing)}. Its first row names {', '.join(header)}.")
    return [header.index(column) for column in columns]
