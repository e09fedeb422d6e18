"""Lists the files of an instructor's download, a folder or a zip file; nothing in it is trusted."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from grading.errors import GradingError
from grading.messages import Message
from grading.submission.class_archive import ArchiveMember, members_of
from grading.submission.content import open_untrusted, printable
from grading.submission.modules import MOST_MODULES, is_module_name
from grading.submission.names import is_archive_name, is_ignored, is_notebook_name, without_ending
from grading.submission.notebook import DamagedSubmission

WANTED = Message("a notebook (.ipynb) or an archive (.zip, .tar, .tar.gz, .tgz)")
_MOST_FILES = 50_000  # below one entry of the folder
_MOST_LEVELS = 20

File = Path | ArchiveMember


@dataclass(frozen=True)
class Entry:
    """A file or a folder of a download.

    Attributes:
        parts: its path inside the download, unchanged.
        file: the file to read; None for folders, and for files that are not read.
        problem: why it is not read, or "".
        repository: whether it is a git repository.
    """

    parts: tuple[str, ...]
    file: File | None = None
    problem: str = ""
    repository: bool = False

    @property
    def name(self) -> str:
        return self.parts[-1]

    @property
    def shown(self) -> str:
        """Its path for display."""
        return printable("/".join(self.parts))

    @property
    def is_folder(self) -> bool:
        return self.file is None and not self.problem

    def is_wanted(self) -> bool:
        """Whether it is a notebook or an archive, by its name; if the ending may be lost, by its first bytes."""
        if self.file is None:
            return False
        if is_notebook_name(self.name) or is_archive_name(self.name):
            return True
        if PurePosixPath(self.name).suffix.lower() not in {".json", ".txt", ""}:
            return False
        head = self.head(4096).replace(b"\0", b"")
        return b'"cells"' in head or b'"nbformat"' in head or b'"worksheets"' in head

    def head(self, most: int) -> bytes:
        """Its first bytes; empty if it cannot be read."""
        try:
            if isinstance(self.file, ArchiveMember):
                return self.file.read(most)
            if self.file is not None:
                with open_untrusted(self.file) as file:
                    return file.read(most)
        except (OSError, DamagedSubmission):
            pass
        return b""


@dataclass(frozen=True)
class Download:
    """A class's submissions as downloaded.

    Attributes:
        path: the folder or the zip file.
        name: the name of the folder that contains the entries.
        entries: sorted by their paths.
    """

    path: Path
    name: str
    entries: tuple[Entry, ...]

    @property
    def is_archive(self) -> bool:
        return not self.path.is_dir()

    def tops(self) -> dict[str, list[Entry]]:
        """The entries by the first part of their paths."""
        tops: dict[str, list[Entry]] = {}
        for entry in self.entries:
            tops.setdefault(entry.parts[0], []).append(entry)
        return tops

    def only_folder(self) -> Download | None:
        """The content of the one folder that contains everything, as in many zip files; None if there is none."""
        tops = self.tops()
        if len(tops) != 1 or all(len(entry.parts) == 1 and not entry.is_folder for entry in self.entries):
            return None
        ((name, entries),) = tops.items()
        inner = tuple(replace(entry, parts=entry.parts[1:]) for entry in entries if len(entry.parts) > 1)
        path = self.path if self.is_archive else self.path / name
        return Download(path, name, inner)


def modules_beside(entries: Iterable[Entry]) -> tuple[File, ...]:
    """The Python files in the folders that hold a student's notebooks."""
    entries = list(entries)
    folders = {entry.parts[:-1] for entry in entries if entry.file and is_notebook_name(entry.name)}
    beside = [entry.file for entry in entries if entry.parts[:-1] in folders and is_module_name(entry.name)]
    return tuple(file for file in beside if file)[:MOST_MODULES]


def problems_of(entries: Iterable[Entry]) -> list[Message]:
    """Why some entries are not read."""
    unread = [entry for entry in entries if entry.problem]
    return [Message("{file}: {note}", file=entry.shown, note=Message.of(entry.problem)) for entry in unread]


def open_download(path: Path) -> Download:
    """List the content of a folder, or of a zip file with a whole class.

    Symbolic links are not followed. An unreadable file is an entry with a `problem`.

    Raises:
        GradingError: it cannot be listed.
    """
    if path.is_dir() or not path.exists():
        return Download(path, path.resolve().name, tuple(sorted(_in_folder(path), key=_order)))
    if not zipfile.is_zipfile(path):
        raise GradingError(
            f"{path} is neither a folder nor a zip file; give a folder of submissions, or the zip file that your"
            " school's system provides"
        )
    return Download(path, without_ending(path.name), tuple(sorted(_in_archive(path), key=_order)))


def _order(entry: Entry) -> list[bytes]:
    return [os.fsencode(part) for part in entry.parts]


def _in_archive(path: Path) -> Iterator[Entry]:
    for name, member, problem in members_of(path):
        parts = tuple(part for part in name.replace("\\", "/").split("/") if part not in {"", "."})
        # A name in a damaged archive may contain a lone surrogate.
        parts = tuple(part.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for part in parts)
        if parts and not any(is_ignored(part) and part != ".." for part in parts):
            yield Entry(parts, None if problem else member, problem)


def _in_folder(folder: Path) -> Iterator[Entry]:
    try:
        tops = [entry for entry in os.scandir(folder) if not is_ignored(entry.name)]
    except OSError as error:
        raise GradingError(
            f"{folder}: {error.strerror or error}; give a folder with one notebook or archive per student"
        ) from None
    for top in tops:
        for count, entry in enumerate(_below(top, ())):
            if count == _MOST_FILES:
                yield Entry((top.name,), None, Message("the folder contains more than {most} files", most=_MOST_FILES))
                break
            yield entry


def _below(top: os.DirEntry[str], above: tuple[str, ...]) -> Iterator[Entry]:
    waiting = [(top, above)]
    while waiting:
        found, above = waiting.pop()
        parts = (*above, found.name)
        try:
            if found.is_symlink():
                yield Entry(parts, None, Message("it is a symbolic link, which is not followed"))
            elif found.is_dir(follow_symlinks=False):
                inside = list(os.scandir(found.path)) if len(parts) <= _MOST_LEVELS else []
                yield Entry(parts, repository=any(one.name == ".git" for one in inside))
                waiting += [(one, parts) for one in inside if not is_ignored(one.name)]
            elif found.is_file(follow_symlinks=False):
                yield Entry(parts, Path(found.path))
            else:
                yield Entry(parts, None, Message("it is not a regular file; submit {wanted}", wanted=WANTED))
        except OSError as error:
            yield Entry(parts, None, Message("it cannot be read: {error}", error=str(error.strerror or error)))
