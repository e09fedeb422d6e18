"""Handles untrusted files: opens them safely, recognises them by their content, and converts them to UTF-8."""

from __future__ import annotations

import codecs
import errno
import os
import re
import stat
from itertools import islice
from pathlib import Path
from typing import IO

from grading.messages import Message
from grading.submission.notebook import DamagedSubmission
from grading.untrusted import visible

_MARKER = re.compile(rb"^(<{7}|\|{7}|={7}|>{7})(?=[ \r\n]|\Z)[^\n]*\n?", re.MULTILINE)
_MOST_MARKERS = 50_000
_SURROGATE = re.compile("[\ud800-\udfff]")


# Follow no link, and do not wait for the other end of a pipe. Windows has only O_BINARY.
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def open_untrusted(path: Path) -> IO[bytes]:
    """Open a regular file and nothing else.

    Raises:
        OSError: it cannot be opened, or is a link, a pipe or a device.
    """
    file = os.fdopen(os.open(path, _FLAGS), "rb")
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise OSError(errno.EINVAL, "it is not a regular file")


def read_file(path: Path, most_bytes: int) -> bytes:
    """Read a file of limited size.

    Raises:
        DamagedSubmission: the file is not regular, is too large, cannot be read, or changes meanwhile.
    """
    try:
        with open_untrusted(path) as file:
            before = os.fstat(file.fileno())
            data = file.read(most_bytes + 1) if before.st_size <= most_bytes else None
            after = os.fstat(file.fileno())
    except OSError as error:
        raise DamagedSubmission(Message("it cannot be read: {error}", error=str(error.strerror or error))) from None
    if data is None or len(data) > most_bytes:
        raise too_large(most_bytes)
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns) or len(data) != before.st_size:
        raise DamagedSubmission(Message("it changed while it was read"), "grade again")
    return data


def too_large(most_bytes: int) -> DamagedSubmission:
    """The error for a file over the size limit."""
    return DamagedSubmission(
        Message("it is larger than the limit of {size}, and outputs count, too", size=megabytes(most_bytes))
    )


def kind_of(data: bytes, name: str) -> str:
    """The kind of a file, "zip", "gzip", "tar" or "notebook", by its content, because names are often wrong."""
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    if data.startswith(b"\x1f\x8b"):
        return "gzip"
    if data[257:262] == b"ustar":
        return "tar"
    lower = name.lower()
    if not data[:64].lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n").startswith(b"{"):
        for kind, endings in {"zip": (".zip",), "gzip": (".gz", ".tgz"), "tar": (".tar",)}.items():
            if lower.endswith(endings):
                return kind
    return "notebook"


def as_utf8(data: bytes) -> tuple[bytes, list[str]]:
    """Convert UTF-16 and UTF-32 to UTF-8 and remove byte order marks and null bytes; return notes on the changes."""
    notes: list[str] = []
    encoding = _wide_encoding(data[:4])
    if encoding is not None:
        notes.append(Message("it is written in {encoding} instead of UTF-8", encoding=encoding.upper()[:6]))
        data = data.decode(encoding, "replace").lstrip("\ufeff").encode("utf-8", "replace")
    data = data.removeprefix(codecs.BOM_UTF8)
    if b"\0" in data:
        notes.append(Message("it contains null bytes, which were removed"))
        data = data.replace(b"\0", b"")
    return data, notes


def _wide_encoding(head: bytes) -> str | None:
    if head in (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE):
        return "utf-32"
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    # Without a byte order mark: every notebook begins with two ASCII characters, so their other bytes are zero.
    zeros = "".join("0" if byte == 0 else "x" for byte in head)
    return {"x000": "utf-32-le", "000x": "utf-32-be", "x0x0": "utf-16-le", "0x0x": "utf-16-be"}.get(zeros)


def without_conflicts(data: bytes) -> bytes:
    """Resolve each merge conflict that git has left in the text to our side (the upper one)."""
    if b"<<<<<<<" not in data:
        return data
    kept: list[bytes] = []
    side, start = "both", 0  # `start` is the beginning of the text that is still undecided
    for marker in islice(_MARKER.finditer(data), _MOST_MARKERS):
        sign = marker[1][:1]
        following = {b"<": "ours", b"|": "theirs", b"=": "theirs", b">": "both"}[sign]
        if side == "both" and sign != b"<":
            continue  # outside a conflict, a line of seven signs is text
        if side != "theirs":
            kept.append(data[start : marker.start()])
        side, start = following, marker.end()
    if side != "theirs":
        kept.append(data[start:])
    return b"".join(kept)


def readable(text: str) -> str:
    """Text that Python's parser accepts: "\\n" at line ends, no null characters, no lone surrogates."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    if _SURROGATE.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def printable(name: str) -> str:
    """A file's name as printable text, with escapes for control characters and stray bytes."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return visible(text)


def megabytes(count: int) -> str:
    return f"{count / 1_000_000:.3g} MB"


def _one_byte(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


# For UTF-8 with single bytes from an editor on Windows, which are read as Windows-1252.
codecs.register_error("grading.windows", _one_byte)
