"""Reads the files of a whole class in one zip file, as schools' systems provide it, without unpacking it to disk."""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO

from grading.errors import GradingError
from grading.messages import Message
from grading.submission.archives import CENTRAL_RECORD, UNPACKABLE, first_overlap, read_up_to
from grading.submission.content import open_untrusted, printable
from grading.submission.notebook import DamagedSubmission

_MOST_MEMBERS = 100_000


@dataclass(frozen=True)
class ArchiveMember:
    """One file in the archive of a class.

    Attributes:
        archive: the archive's path.
        name: the file's path inside it.
        place: its index among the archive's records, because two may have the same name.
    """

    archive: Path
    name: str
    place: int

    def read(self, most_bytes: int) -> bytes:
        """Return its first bytes, at most so many.

        Raises:
            DamagedSubmission: it cannot be read.
        """
        try:
            archive, _ = _opened(self.archive)
            with archive.open(archive.infolist()[self.place]) as file:
                return read_up_to(file, most_bytes)
        except (GradingError, MemoryError):
            raise
        except Exception as error:  # the library raises nearly anything on nearly random bytes
            raise DamagedSubmission(
                Message("it is damaged ({error})", error=printable(str(error)[:100]) or type(error).__name__)
            ) from None


def members_of(path: Path) -> Iterator[tuple[str, ArchiveMember | None, str]]:
    """Yield the entries of a class's archive: the name, the file (None for a folder), and why it is not read, or "".

    Raises:
        GradingError: the archive cannot be opened, or no school's system makes such archives.
    """
    archive, _ = _opened(path)
    for place, info in enumerate(archive.infolist()):
        if info.is_dir():
            yield info.filename, None, ""
        else:
            yield info.filename, ArchiveMember(path, info.filename, place), _oddity(info)


def _oddity(info: zipfile.ZipInfo) -> str:
    parts = info.filename.replace("\\", "/").split("/")
    if ".." in parts or parts[0] == "" or parts[0].endswith(":"):
        return Message("it has a path outside the archive's folder")
    if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
        return Message("it is a link or a device, which is not followed")
    if info.flag_bits & 1:
        return Message("it is encrypted")
    if info.compress_type not in UNPACKABLE:
        return Message("it is compressed by a method other than 'deflate'")
    return ""


@lru_cache(maxsize=8)
def _opened(path: Path) -> tuple[zipfile.ZipFile, IO[bytes]]:
    """Open an archive, or return it if it is open, so that its directory is read only once."""
    try:
        file = open_untrusted(path)
    except OSError as error:
        raise GradingError(f"{path} cannot be read: {error.strerror or error}") from None
    try:
        # zipfile builds an object for each record in the directory before it hands out the first one.
        if _records(file) > 2 * _MOST_MEMBERS:
            raise GradingError(f"{path} has more than {_MOST_MEMBERS:,} entries; grade it in parts")
        archive = zipfile.ZipFile(file)
        if (covered := first_overlap(archive)) is not None:
            raise GradingError(f"{path} does not come from a school's system: {covered} overlaps another file")
    except GradingError:
        file.close()
        raise
    except Exception as error:
        file.close()
        raise GradingError(
            f"{path} is not a readable zip file ({printable(str(error)[:100])}); give a folder of submissions, or the"
            " zip file that your school's system provides"
        ) from None
    return archive, file


def _records(file: IO[bytes]) -> int:
    count = 0
    tail = b""
    while piece := file.read(1 << 20):
        joined = tail + piece
        count += joined.count(CENTRAL_RECORD)
        tail = joined[-3:]
    file.seek(0)
    return count
