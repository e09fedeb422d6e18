"""Lists what was handed in: one entry for each student in a folder of submissions."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grading.errors import GradingError
from grading.submission.content import open_untrusted, printable

_MOST_FILES = 5_000  # in one student's folder
_MOST_LEVELS = 20

# Browsers and mail programs add to a notebook's name: "alice.ipynb.txt", "alice.ipynb (1)".
_NOTEBOOK = re.compile(r"\.ipynb(?![^\W_]).*$", re.IGNORECASE | re.DOTALL)
_ARCHIVE = re.compile(r"\.(zip|tar|tar\.gz|tgz)$", re.IGNORECASE)
_NOBODYS = {"__macosx", "thumbs.db", "desktop.ini"}
# An instructor's own lists may lie beside the submissions; a student's solution has none of these endings.
_LISTS = {".csv", ".json", ".md", ".toml", ".yaml", ".yml"}
_WANTED = "a notebook (.ipynb) or an archive (.zip, .tar, .tar.gz, .tgz)"


@dataclass(frozen=True)
class SubmissionFile:
    """What one student handed in.

    Attributes:
        student: name of the file without its ending, or of the folder. It may hold any printable text.
        path: the file or folder.
        files: the notebooks and archives to read.
        problem: why there are none, where there are none.
    """

    student: str
    path: Path
    files: tuple[Path, ...] = ()
    problem: str | None = None


def find_submissions(folder: Path) -> list[SubmissionFile]:
    """Lists the submissions in `folder`, sorted by student.

    Wanted is one notebook or archive a student, as a file named after the student or in a folder named so
    (`alice.ipynb`, `alice.zip`, `alice/anything.ipynb`, `alice/bundle.zip`). Symbolic links are not followed.
    A file or folder that cannot be used becomes an entry with a `problem`.

    Raises:
        GradingError: `folder` cannot be listed, or holds nothing that looks like a submission.
    """
    try:
        entries = [entry for entry in os.scandir(folder) if not is_ignored(entry.name)]
    except OSError as error:
        raise GradingError(
            f"{folder}: {error.strerror or error}; wanted is a folder with one notebook or archive a student"
        ) from None

    found: dict[str, SubmissionFile] = {}
    for entry in sorted(entries, key=lambda entry: os.fsencode(entry.name)):
        submission = _submission(entry)
        if submission is not None:
            previous = found.get(submission.student)
            found[submission.student] = _joined(previous, submission) if previous else submission
    if not found:
        raise GradingError(
            f"{folder} holds no submission; looked for {_WANTED} named after the student,"
            " such as alice.ipynb, or a folder named so with one of them in it, such as alice/attention.ipynb"
        )
    return [found[student] for student in sorted(found)]


def is_ignored(name: str) -> bool:
    """Whether a file or folder of this name is made by a system rather than handed in."""
    return name.startswith(".") or name.lower() in _NOBODYS


def is_notebook_name(name: str) -> bool:
    """Whether a file of this name says that it is a notebook."""
    return _NOTEBOOK.search(name) is not None


def _submission(entry: os.DirEntry[str]) -> SubmissionFile | None:
    """The entry as a submission; None where it is none of the students'."""
    path = Path(entry.path)
    student = printable(_ARCHIVE.sub("", _NOTEBOOK.sub("", entry.name)) or entry.name)
    files: tuple[Path, ...] = ()
    problem = None
    try:
        if entry.is_symlink():
            problem = "it is a symbolic link, which is not followed; put the file itself there"
        elif entry.is_dir(follow_symlinks=False):
            student = printable(entry.name)
            files, problem = _files_of(path)
        elif not entry.is_file(follow_symlinks=False):
            problem = f"it is not a regular file; wanted is {_WANTED}"
        elif _is_wanted(path):
            files = (path,)
        elif path.suffix.lower() in _LISTS:
            return None
        else:
            student = printable(path.stem)
            problem = f"{printable(path.name)} is not {_WANTED}"
    except OSError as error:
        problem = f"it cannot be read: {error.strerror or error}"
    return SubmissionFile(student, path, files, problem)


def _files_of(folder: Path) -> tuple[tuple[Path, ...], str | None]:
    """The notebooks and archives in a student's folder, or what is the matter with it."""
    files: list[Path] = []
    others: list[str] = []
    for path in _regular_files(folder):
        if _is_wanted(path):
            files.append(path)
        else:
            others.append(printable(path.name))
        if len(files) + len(others) > _MOST_FILES:
            return (), f"the folder holds more than {_MOST_FILES} files"
    if files:
        return tuple(sorted(files, key=os.fsencode)), None
    instead = ", ".join(sorted(others)[:5]) or "no regular files"
    return (), f"the folder does not hold {_WANTED}; it holds {instead}"


def _regular_files(folder: Path) -> Iterator[Path]:
    """The regular files in and below `folder`, without what is ignored, through no link."""
    waiting = [(folder, 0)]
    while waiting:
        current, level = waiting.pop()
        try:
            entries = [entry for entry in os.scandir(current) if not is_ignored(entry.name)]
        except OSError:
            if level == 0:
                raise
            continue  # a folder inside that cannot be read hides nothing that stands beside it
        for entry in entries:
            if entry.is_dir(follow_symlinks=False) and level < _MOST_LEVELS:
                waiting.append((Path(entry.path), level + 1))
            elif entry.is_file(follow_symlinks=False):
                yield Path(entry.path)


def _is_wanted(path: Path) -> bool:
    """By its name, or, where a notebook may have lost its name's ending, by how the file begins."""
    if is_notebook_name(path.name) or _ARCHIVE.search(path.name):
        return True
    if path.suffix.lower() not in {".json", ".txt", ""}:
        return False
    try:
        with open_untrusted(path) as file:
            head = file.read(4096).replace(b"\0", b"")
    except OSError:
        return False
    return b'"cells"' in head or b'"nbformat"' in head or b'"worksheets"' in head


def _joined(first: SubmissionFile, second: SubmissionFile) -> SubmissionFile:
    """One student's file and folder, or notebook and archive, side by side."""
    files = first.files + second.files
    problem = None if files else f"{first.problem}; {second.problem}"
    return SubmissionFile(first.student, first.path, files, problem)
