"""Text files as people have them: compressed or not, in any case of letters, with a byte order mark or without."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from course.errors import CourseError

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # of what Excel calls "Unicode text"


def kind_of(path: Path) -> str:
    """The suffix that says what is in a file: ".csv" of "A.CSV" and of "a.csv.gz"."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes[-1:] == [".gz"]:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def is_compressed(path: Path) -> bool:
    """Whether it is a .gz file, by its name."""
    return path.suffix.lower() == ".gz"


@contextmanager
def opened(path: Path, newline: str | None = None) -> Iterator[io.TextIOWrapper]:
    """A text file, open to be read: UTF-8, or what its byte order mark says. The mark is no part of the text.

    Args:
        path: the file; one that ends with .gz is decompressed while it is read.
        newline: as of `open`.

    Raises:
        CourseError: it cannot be read, is cut short, or is not such text. It is raised while the file is read, too.
    """
    with opened_bytes(path) as raw:
        start = raw.peek(4)[:4]
        encoding = "utf-16" if start.startswith(_UTF_16) else "utf-8-sig"
        try:
            yield io.TextIOWrapper(raw, encoding=encoding, newline=newline)
        except UnicodeError as error:
            reason = getattr(error, "reason", error)
            raise CourseError(f"{path} is not UTF-8 text ({reason}). Convert it, or take it out.") from error


@contextmanager
def opened_bytes(path: Path) -> Iterator[gzip.GzipFile | io.BufferedReader]:
    """The bytes of a file, decompressed where it ends with .gz.

    Raises:
        CourseError: as `opened`.
    """
    try:
        with gzip.open(path) if is_compressed(path) else path.open("rb") as raw:
            yield raw
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise CourseError(f"{path} is not a whole .gz file ({error}). Get it again, or take it out.") from error
    except OSError as error:
        raise CourseError(f"{path} cannot be read: {error.strerror or error}.") from error
