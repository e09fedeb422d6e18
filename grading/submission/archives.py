"""Notebooks out of an archive, read in memory and within limits.

Nothing is unpacked to a disk and no link is followed, so an archive's paths can lead nowhere.
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

from grading.submission.content import kind_of, megabytes, printable
from grading.submission.names import is_ignored, is_notebook_name
from grading.submission.notebook import DamagedSubmission, Limits

CENTRAL_RECORD = b"PK\x01\x02"
UNPACKABLE = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}  # what is packed otherwise is not read
_LOCAL_HEADER_BYTES = 30
_MOST_WORK = 4  # times what is kept
_DAMAGED_COSTS = 10_000_000  # bytes: how much of a damaged file was unpacked is not known
# Name, oddity and what reads it; None for a folder.
_Entry = tuple[str, str, Callable[[int], bytes] | None]


@dataclass(frozen=True)
class _Member:
    """One entry of an archive.

    Attributes:
        oddity: why it is not read although it may be named like a notebook; "" where there is no reason.
        read: gives at most so many bytes of it.
    """

    name: str
    oddity: str
    read: Callable[[int], bytes]


def notebooks_in(data: bytes, kind: str, limits: Limits) -> tuple[dict[str, bytes], list[str]]:
    """The notebooks in an archive by their path in it, and notes on what was left out.

    Args:
        data: the archive.
        kind: "zip", "gzip" or "tar".

    Raises:
        DamagedSubmission: no notebook can be read from it.
    """
    found: dict[str, bytes] = {}
    notes: list[str] = []
    others: list[str] = []
    space = limits.archive_bytes
    work = _MOST_WORK * space  # what is left out has been unpacked, too
    try:
        for member in _members(data, kind, limits):
            if not is_notebook_name(member.name):
                others.append(member.name)
                continue
            if member.oddity:
                notes.append(f"{member.name} was left out: it {member.oddity}")
                continue
            if work <= 0:
                notes.append(f"what follows {member.name} was left out: unpacked, it is larger than all that is read")
                break
            most = min(limits.file_bytes, space)
            try:
                content = member.read(most + 1)
            except Exception as error:
                notes.append(f"{member.name} was left out: it is damaged ({_short(error)})")
                work -= _DAMAGED_COSTS
                continue
            work -= len(content)
            if len(content) > most:
                notes.append(f"{member.name} was left out: unpacked, it is larger than {megabytes(most)}")
            else:
                space -= len(content)
                found[member.name] = content
    except Exception as error:
        # The libraries raise nearly anything on nearly random bytes; what was read before that is kept.
        notes.append(f"the archive is damaged or cut short ({_short(error)})")
    if not found:
        instead = f"it holds {', '.join(sorted(others)[:5])}" if others and not notes else "; ".join(notes[:5])
        raise DamagedSubmission(f"the archive holds no notebook (.ipynb) that can be read: {instead or 'it is empty'}")
    return found, notes


def _members(data: bytes, kind: str, limits: Limits) -> Iterator[_Member]:
    """The archive's files, without what systems add; names that lead elsewhere are marked as odd."""
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
        oddity = "is named so as to be written outside of the archive's folder" if leads_out else found_odd
        if read is None:
            continue
        yield _Member(printable("/".join(part for part in parts if part not in {"", "."})), oddity, read)


def _zip_members(data: bytes, limits: Limits) -> Iterator[_Entry]:
    # zipfile builds an object for each record in the directory before it hands out the first one.
    if data.count(CENTRAL_RECORD) > 2 * limits.archive_members:
        raise zipfile.BadZipFile(f"it has more than {limits.archive_members} entries")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if (covered := first_overlap(archive)) is not None:
            raise zipfile.BadZipFile(f"{covered} lies in another file")
        for info in archive.infolist():
            mode = info.external_attr >> 16
            oddity = ""
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
                oddity = "is a link or a device"
            elif info.flag_bits & 1:
                oddity = "is encrypted"
            elif info.compress_type not in UNPACKABLE:
                oddity = "is packed in a way other than 'deflate'"

            def read(most: int, info: zipfile.ZipInfo = info) -> bytes:
                with archive.open(info) as file:
                    return read_up_to(file, most)

            yield info.filename, oddity, None if info.is_dir() else read


def first_overlap(archive: zipfile.ZipFile) -> str | None:
    """A file that lies in another one, or on the same bytes: packed once, it would be unpacked many times."""
    end = 0
    for info in sorted(archive.infolist(), key=lambda info: info.header_offset):
        if info.header_offset < end:
            return printable(info.filename)
        end = info.header_offset + _LOCAL_HEADER_BYTES + info.compress_size
    return None


def _tar_members(data: bytes) -> Iterator[_Entry]:
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        while (info := archive.next()) is not None:
            # Sparse files claim terabytes of zeros; nobody packs a notebook so.
            plain = info.type in (tarfile.REGTYPE, tarfile.AREGTYPE) and not info.issparse()

            def read(most: int, info: tarfile.TarInfo = info) -> bytes:
                file = archive.extractfile(info)
                return b"" if file is None else read_up_to(file, most)

            oddity = "" if plain else "is a link, a device or a pipe"
            yield info.name, oddity, None if info.isdir() else read


def read_up_to(file: IO[bytes], most: int) -> bytes:
    """Reads in pieces: a size that the archive only claims is never allocated."""
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
