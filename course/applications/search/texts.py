"""Your own texts as a stream of documents: passages of text files, and rows of tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from course.applications.search.document import Document
from course.data.corpus.own_files import KINDS, approximate_characters, documents_of, find_files, no_column_named
from course.data.tables.opened import kind_of
from course.data.tables.table import TABLES, read_table
from course.data.text.sentences import ENGLISH
from course.errors import CourseError

_WANTED = f"Name a file ({', '.join(KINDS)}, also .gz), or a folder that has such files."


@dataclass(frozen=True)
class Texts:
    """Documents, always in the same order.

    Attributes:
        name: of the texts.
        size: their approximate length in characters.
        documents: returns an iterator over the documents, from the beginning.
        skipped: files of the folder whose kind cannot be read.
        path: of their file or folder, from the root on; "" if there is none.
    """

    name: str
    size: int
    documents: Callable[[], Iterator[Document]]
    skipped: tuple[Path, ...] = ()
    path: str = ""


def open_texts(source: Path, text_columns: Sequence[str] = (), title_column: str | None = None) -> Texts:
    """Find the documents of a file or folder.

    In plain text, blank lines separate documents; in Markdown, each heading begins one; in a table, each row is one.

    Args:
        source: a file, or a folder whose readable files are all read.
        text_columns: the columns of a table that contain its text.
        title_column: the column of a table that contains the titles. None: no titles.

    Raises:
        CourseError: the source is missing, has no text, or has a table without named columns; or columns are named but
            there is no table. While documents are read: a file is damaged, or has no such column.
    """
    files, skipped = find_files(source, _WANTED)
    tables = [file for file in files if kind_of(file) in TABLES]
    if tables and not text_columns:
        raise no_column_named(tables[0], "--text")
    named = [*text_columns, *([title_column] if title_column is not None else [])]
    if named and not tables:
        raise CourseError(f"{source} has no table, so no column {', '.join(named)}. Leave out --text and --title.")

    def documents() -> Iterator[Document]:
        for file in files:
            place = file.relative_to(source).as_posix() if source.is_dir() else file.name
            read = _rows(file, text_columns, title_column) if file in tables else _passages(file)
            for number, (title, text) in enumerate(read, start=1):
                yield Document(f"{place}, {number}", title, text)

    path = source.resolve()
    written = str(path).encode("utf-8", "backslashreplace").decode()
    return Texts(path.name, sum(map(approximate_characters, files)), documents, tuple(skipped), written)


def _passages(file: Path) -> Iterator[tuple[str, str]]:
    for sentences in documents_of(file, (), ENGLISH):
        yield "", " ".join(sentences)


def _rows(file: Path, text_columns: Sequence[str], title_column: str | None) -> Iterator[tuple[str, str]]:
    for row in read_table(file, [*text_columns, *([title_column] if title_column is not None else [])]):
        title = row[title_column] if title_column is not None else ""
        yield title, " ".join(filter(None, (row[column] for column in text_columns)))
