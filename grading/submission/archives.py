"""Reads notebooks from an archive, in memory and within limits.

It unpacks nothing to disk and follows no link, so an archive's paths can do no harm.
"""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO

from grading.messages import Message, in_turn
from grading.submission.content import kind_of, megabytes, printable
from grading.submission.modules import MOST_BYTES, is_module_name
from grading.submission.names import is_ignored, is_notebook_name
from grading.submission.notebook import DamagedSubmission, Limits

CENTRAL_RECORD = b"PK\x01\x02"
UNPACKABLE = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}  # other methods are not read
_LOCAL_HEADER_BYTES = 30
_MOST_WORK = 4  # limit for all unpacked bytes, as a multiple of the kept ones
_DAMAGED_COSTS = 10_000_000  # bytes charged for a damaged file, because its unpacked size is unknown
# The name, the oddity, and a function that reads it, or None for a folder.
_Entry = tuple[str, str, Callable[[int], bytes] | None]


@dataclass(frozen=True)
class _Member:
    """One entry of an archive.

    Attributes:
        oddity: why it is not read although it may be named like a notebook, or "".
        read: returns at most so many bytes of it.
    """

    name: str
    oddity: str
    read: Callable[[int], bytes]


@dataclass(frozen=True)
class Unpacked:
    """The files of an archive that are read, by their path in it, and notes on files that were left out."""

    notebooks: dict[str, bytes]
    modules: dict[str, bytes]
    notes: list[str]


def unpack(data: bytes, kind: str, limits: Limits) -> Unpacked:
    """Read the notebooks in an archive, and the Python modules.

    Args:
        data: the archive.
        kind: "zip", "gzip" or "tar".

    Raises:
        DamagedSubmission: no notebook can be read from it.
    """
    found: dict[str, bytes] = {}
    modules: dict[str, bytes] = {}
    notes: list[str] = []
    others: list[str] = []
    space = limits.archive_bytes
    work = _MOST_WORK * space  # counts files that are unpacked and then left out, too
    try:
        for member in _members(data, kind, limits):
            is_module = is_module_name(member.name)
            if not is_notebook_name(member.name):
                others.append(member.name)
                if not is_module:
                    continue
            if member.oddity:
                notes.append(
                    Message("{file} was left out: it {oddity}", file=member.name, oddity=Message.of(member.oddity))
                )
                continue
            if work <= 0:
                notes.append(
                    Message("all files from {file} on were left out: unpacked, they exceed the limit", file=member.name)
                )
                break
            most = min(MOST_BYTES if is_module else limits.file_bytes, space)
            try:
                content = member.read(most + 1)
            except Exception as error:
                notes.append(
                    Message("{file} was left out: it is damaged ({error})", file=member.name, error=_short(error))
                )
                work -= _DAMAGED_COSTS
                continue
            work -= len(content)
            if len(content) > most:
                notes.append(
                    Message(
                        "{file} was left out: unpacked, it is larger than {size}",
                        file=member.name,
                        size=megabytes(most),
                    )
                )
            else:
                space -= len(content)
                (modules if is_module else found)[member.name] = content
    except Exception as error:
        # The libraries raise nearly anything on nearly random bytes; files read before that are kept.
        notes.append(Message("the archive is damaged or cut short ({error})", error=_short(error)))
    if not found:
        if notes:
            instead = in_turn(notes[:5])
        else:
            held = ", ".join(sorted(others)[:5])
            instead = Message("it contains {files}", files=held) if others else Message("it is empty")
        raise DamagedSubmission(
            Message("the archive contains no readable notebook (.ipynb): {instead}", instead=instead)
        )
    return Unpacked(found, modules, notes)


def _members(data: bytes, kind: str, limits: Limits) -> Iterator[_Member]:
    """Yield the archive's files, without those that systems add; names that lead outside it are marked as odd."""
    if kind == "gzip":
        data = _gunzipped(data, limits.archive_bytes)
        kind = kind_of(data, ".tar")
        if kind == "notebook":
            yield _Member("notebook.ipynb", "", io.BytesIO(data).read)
            return
    members = _zip_members(data, limits) if kind == "zip" else _tar_members(data)
    for count, (name, found_odd, read) in enumerate(members):
        if count == limits.archive_members:
            raise tarfile.TarError(f"it has more than {count} entries")
        parts = name.replace("\\", "/").split("/")
        if any(is_ignored(part) and part not in {".", ".."} for part in parts):
            continue
        leads_out = ".." in parts or parts[0] == "" or parts[0].endswith(":")
        oddity = Message("has a path outside the archive's folder") if leads_out else found_odd
        if read is None:
            continue
        yield _Member(printable("/".join(part for part in parts if part not in {"", "."})), oddity, read)


def _zip_members(data: bytes, limits: Limits) -> Iterator[_Entry]:
    # zipfile builds an object for each record in the directory before it hands out the first one.
    if data.count(CENTRAL_RECORD) > 2 * limits.archive_members:
        raise zipfile.BadZipFile(f"it has more than {limits.archive_members} entries")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if (covered := first_overlap(archive)) is not None:
            raise zipfile.BadZipFile(f"{covered} overlaps another file")
        for info in archive.infolist():
            mode = info.external_attr >> 16
            oddity = ""
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
                oddity = Message("is a link or a device")
            elif info.flag_bits & 1:
                oddity = Message("is encrypted")
            elif info.compress_type not in UNPACKABLE:
                oddity = Message("is compressed by a method other than 'deflate'")

            def read(most: int, info: zipfile.ZipInfo = info) -> bytes:
                with archive.open(info) as file:
                    return read_up_to(file, most)

            yield info.filename, oddity, None if info.is_dir() else read


def first_overlap(archive: zipfile.ZipFile) -> str | None:
    """A file that overlaps another one in the archive, so that the same bytes would be unpacked many times; or None."""
    end = 0
    for info in sorted(archive.infolist(), key=lambda info: info.header_offset):
        if info.header_offset < end:
            return printable(info.filename)
        end = info.header_offset + _LOCAL_HEADER_BYTES + info.compress_size
    return None


def _tar_members(data: bytes) -> Iterator[_Entry]:
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        while (info := archive.next()) is not None:
            # Sparse files may claim terabytes of zeros, and no notebook is stored as one.
            plain = info.type in (tarfile.REGTYPE, tarfile.AREGTYPE) and not info.issparse()

            def read(most: int, info: tarfile.TarInfo = info) -> bytes:
                file = archive.extractfile(info)
                return b"" if file is None else read_up_to(file, most)

            oddity = "" if plain else Message("is a link, a device or a pipe")
            yield info.name, oddity, None if info.isdir() else read


def read_up_to(file: IO[bytes], most: int) -> bytes:
    """Read at most so many bytes in pieces, so that a size that the archive only claims is never allocated."""
    pieces = []
    while most > 0 and (piece := file.read(min(most, 1 << 20))):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)


def _gunzipped(data: bytes, most: int) -> bytes:
    unpacker = zlib.decompressobj(wbits=31)
    unpacked = unpacker.decompress(data, most)
    if unpacker.unconsumed_tail:
        raise zlib.error(f"unpacked, it is larger than {megabytes(most)}")
    return unpacked


def _short(error: Exception) -> str:
    return printable(str(error)[:100]) or type(error).__name__
