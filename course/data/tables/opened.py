"""Open text files: compressed or not, with suffixes in any case, with a byte order mark or without."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from course.errors import CourseError

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # the format that Excel calls "Unicode text"


def kind_of(path: Path) -> str:
    """Return the suffix that says what is in a file: ".csv" for "A.CSV" and for "a.csv.gz"."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes[-1:] == [".gz"]:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def is_compressed(path: Path) -> bool:
    """Return whether its name says that it is a .gz file."""
    return path.suffix.lower() == ".gz"


@contextmanager
def opened(path: Path, newline: str | None = None) -> Iterator[io.TextIOWrapper]:
    """Open a text file to read: UTF-8, or the encoding of its byte order mark, which is not part of the text.

    Args:
        path: the file; one that ends with .gz is decompressed while it is read.
        newline: as for `open`.

    Raises:
        CourseError: the file cannot be read, is cut short, or is not such text. This may be raised during reading, too.
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
    """Open the bytes of a file, decompressed if its name ends with .gz.

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
