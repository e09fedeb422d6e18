"""Read your own files as a stream of documents: plain text, Markdown, and tables."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from course.data.tables.opened import is_compressed, kind_of, opened
from course.data.tables.table import TABLES, column_names, read_table
from course.data.text.sentences import split_sentences
from course.errors import CourseError

# The sentences of a text, in order.
Document = list[str]

KINDS = (".txt", ".md", *TABLES)

# A book is read as several documents, and a very long line as several lines: memory must not grow with the corpus.
_MOST_SENTENCES = 1000
_MOST_CHARACTERS = 1 << 20

_FENCE = re.compile(r"\s*(`{3,}(?=[^`]*$)|~{3,})")  # a later ` on the line makes it code within a sentence
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$")
_BEFORE_TEXT = re.compile(r"^\s*(?:>\s?|[-*+]\s+|\d{1,3}[.)]\s+)+")  # marks of a quotation or a list item
_LINK = re.compile(r"(!?)\[([^\]]*)\]\([^)]*\)")


def find_files(path: Path, wanted: str) -> tuple[list[Path], list[Path]]:
    """List the files of a path: those that can be read, sorted, and those that cannot.

    Args:
        path: a file, or a folder of files.
        wanted: the sentence of an error that says what to name instead.

    Raises:
        CourseError: `path` does not exist, or has no text.
    """
    if not path.exists():
        raise CourseError(f"{path} does not exist. {wanted}")
    all_files = sorted(file for file in (path.rglob("*") if path.is_dir() else [path]) if file.is_file())
    files = [file for file in all_files if kind_of(file) in KINDS]
    skipped = [file for file in all_files if kind_of(file) not in KINDS]
    if not any(file.stat().st_size for file in files):
        given = f"{len(files)} such files, all empty" if files else _listed(skipped) or "an empty folder"
        raise CourseError(f"{path} has no text that can be read. Wanted: {', '.join(KINDS)}, also .gz. Given: {given}.")
    return files, skipped


def approximate_characters(file: Path) -> int:
    """Estimate the length of a file's text: compression is taken to shrink it to a third."""
    return file.stat().st_size * (3 if is_compressed(file) or kind_of(file) == ".parquet" else 1)


def no_column_named(table: Path, option: str) -> CourseError:
    """The error for a table whose text column is not named; `option` is the option of the command that names it."""
    return CourseError(
        f"{table} is a table: which column holds its text? Name it: {option} NAME. It seems to have "
        f"{', '.join(f'{name:.30}' for name in column_names(table)) or 'none'}; where that is no header, name a "
        "column by its number, from 1 on."
    )


def documents_of(file: Path, columns: Sequence[str], language: str) -> Iterator[Document]:
    """Yield the documents of a file. A document of more than a thousand sentences is cut.

    In plain text, blank lines separate documents, and a line holds one sentence or more. In Markdown, each heading
    begins a document; code and pictures are left out, and so are the marks of headings, lists and links. In a table,
    each row is a document.

    Args:
        file: of one of `KINDS`, each also with .gz.
        columns: the columns of a table that hold its text.
        language: as for `split_sentences`.

    Raises:
        CourseError: the file is damaged; or it is a table, and its columns are not named or do not exist.
    """
    kind = kind_of(file)
    texts = _rows(file, columns) if kind in TABLES else (_sections if kind == ".md" else _paragraphs)(file)
    yield from _cut(texts, lambda text: split_sentences(text, language))


def _cut(texts: Iterator[str | None], split: Callable[[str], list[str]]) -> Iterator[Document]:
    """Group sentences into documents; None ends a document."""
    sentences: Document = []
    for text in texts:
        sentences += split(text) if text is not None else ()
        while len(sentences) >= _MOST_SENTENCES:
            yield sentences[:_MOST_SENTENCES]
            sentences = sentences[_MOST_SENTENCES:]
        if text is None and sentences:
            yield sentences
            sentences = []
    if sentences:
        yield sentences


def _paragraphs(file: Path) -> Iterator[str | None]:
    with opened(file) as text:
        for line in _lines(text):
            yield line if line.strip() else None


def _sections(file: Path) -> Iterator[str | None]:
    fence, is_quoted = "", False  # of the code block that the line is in
    with opened(file) as text:
        for line in _lines(text):
            if is_quoted and not line.lstrip().startswith(">"):
                fence, is_quoted = "", False  # the end of a quotation ends its code, too
            body = _BEFORE_TEXT.sub("", line)
            if fence:
                mark = line.strip("> \t\n")
                fence = "" if mark.startswith(fence) and not mark.strip(fence[0]) else fence
                is_quoted = is_quoted and bool(fence)
            elif opening := _FENCE.match(body):
                fence, is_quoted = opening[1], line.lstrip().startswith(">")
            elif heading := _HEADING.match(line):
                yield None
                yield _plain(heading[1])
            else:
                yield _plain(body)


def _plain(line: str) -> str:
    return _LINK.sub(lambda link: "" if link[1] else link[2], line)


def _lines(text: io.TextIOBase) -> Iterator[str]:
    while line := text.readline(_MOST_CHARACTERS):
        yield line


def _rows(file: Path, columns: Sequence[str]) -> Iterator[str | None]:
    if not columns:
        raise no_column_named(file, "--column")
    for row in read_table(file, columns):
        yield from (row[column] for column in columns)
        yield None


def _listed(files: Sequence[Path]) -> str:
    return ", ".join(file.name for file in files[:5]) + (", ..." if len(files) > 5 else "")
