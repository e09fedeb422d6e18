"""Finds the submissions of a class, one for each student, in an instructor's download."""

from __future__ import annotations

import zipfile
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path

from grading.errors import GradingError
from grading.submission.content import printable
from grading.submission.download import WANTED, Download, Entry, open_download
from grading.submission.names import drive_download
from grading.submission.submission_file import SubmissionFile
from grading.submission.systems import PLAIN, read_as, recognised
from grading.submission.systems.parts import Reading, System, submissions_of
from grading.submission.systems.plain import plain_submissions

_MOST_NAMED = 20


@dataclass(frozen=True)
class Found:
    """The submissions of a class.

    Attributes:
        submissions: sorted by student.
        system: the system that they were downloaded from; None for files and folders named after students.
        others: files whose names do not say in that system's way whose they are. They are not graded.
        unclear: the possible owners of files with ambiguous names. These are not graded.
        archives: the archives in a folder that were read in the folder's place, because they hold the class.
    """

    submissions: list[SubmissionFile]
    system: System | None
    others: list[Entry]
    unclear: dict[Entry, list[str]] = field(default_factory=dict)
    archives: tuple[str, ...] = ()

    def sentences(self) -> list[str]:
        """The sentences that the instructor should read before grading starts."""
        students = "1 student" if len(self.submissions) == 1 else f"{len(self.submissions)} students"
        source = f"a download from {self.system.title}" if self.system else "files or folders named after students"
        inside = f", in {', '.join(self.archives)}" if self.archives else ""
        sentences = [f"Submissions: {source}, {students}{inside}"]
        if self.others:
            named = ", ".join(other.shown for other in self.others[:_MOST_NAMED])
            more = len(self.others) - _MOST_NAMED
            sentences.append(f"Not understood, so not graded: {named}{f' and {more} more' if more > 0 else ''}")
        unclear = [(entry, owners) for entry, owners in self.unclear.items() if not entry.is_folder]
        for entry, owners in unclear[:_MOST_NAMED]:
            could = " or to ".join(owners)
            sentences.append(
                f"Not graded: {entry.shown} could belong to {could}. Find out whose it is, and replace the end of its"
                " name, which its author chose"
            )
        if len(unclear) > _MOST_NAMED:
            more = len(unclear) - _MOST_NAMED
            sentences.append(f"Not graded: {more} more files that could belong to several students")
        return sentences


def find(path: Path, system: str | None = None) -> Found:
    """Find the submissions in a folder, or in a zip file with a whole class.

    Args:
        path: the download from a school's system; or one notebook or archive per student, as a file or in a folder
            named after the student (`alice.ipynb`, `alice.zip`, `alice/anything.ipynb`).
        system: the name of the system, or "plain" for none; by default, it is recognised.

    Raises:
        GradingError: `path` cannot be listed, contains no submission, or does not come from that system.
    """
    download = open_download(path)
    found, refusal = None, None
    try:
        found = None if system == PLAIN else read_as(download, system) if system else recognised(download)
    except GradingError as error:
        refusal = error
    if found:
        by, reading = found
        return Found(submissions_of(reading, download), by, _worth_a_word(reading), reading.unclear)
    submissions = plain_submissions(_unwrapped(download))
    inner = None if system == PLAIN else _class_inside(submissions, system)
    if refusal and not inner:
        raise refusal
    if inner:
        return inner
    if not submissions:
        raise GradingError(
            f"{path} contains no submission: {WANTED} named after the student, such as alice.ipynb, or in a folder"
            " named after the student, such as alice/attention.ipynb"
        )
    return Found(submissions, None, [])


def find_submissions(path: Path, system: str | None = None) -> list[SubmissionFile]:
    """The submissions that `find` finds.

    Raises:
        GradingError: see `find`.
    """
    return find(path, system).submissions


def _class_inside(submissions: list[SubmissionFile], system: str | None) -> Found | None:
    """The class in a folder's only archive, or in all parts into which Google Drive splits a large download; or None.

    Among other submissions, an archive is one student's, who must not turn it into a class.
    """
    files = [file for submission in submissions for file in submission.files]
    paths = [file for file in files if isinstance(file, Path) and zipfile.is_zipfile(file)]
    downloads = {drive_download(path.name) for path in paths}
    if len(paths) < max(1, len(files), len(submissions)) or (
        len(paths) > 1 and (len(downloads) > 1 or "" in downloads)
    ):
        return None
    try:
        opened = [open_download(path) for path in paths]
        joined = replace(opened[0], entries=tuple(entry for part in opened for entry in part.entries))
        found = read_as(joined, system) if system else recognised(joined)
    except GradingError:  # it stays one student's damaged archive, or comes from another system
        return None
    if not found or not (system or _is_a_class(*found)):
        return None
    by, reading = found
    archives = tuple(printable(path.name) for path in paths)
    return Found(submissions_of(reading, joined), by, _worth_a_word(reading), reading.unclear, archives)


def _is_a_class(system: System, reading: Reading) -> bool:
    """Whether only a system, or at least two students, would choose such names."""
    return system.unmistakable or _students(reading) > 1


def _students(reading: Reading) -> int:
    return len({part.student for part in reading.parts}) + len(reading.unclear)


def class_in(names: Collection[str]) -> tuple[str, int] | None:
    """The system from which a class with these notebooks' paths was downloaded, and its number of students; or None.

    If a student may choose such names, too, they must be those of at least two students.
    """
    entries = tuple(Entry(parts, Path(name)) for name in names if (parts := tuple(Path(name).parts)))
    found = recognised(Download(Path(), "", entries))
    if not found:
        return None
    system, reading = found
    return (system.title, _students(reading)) if _is_a_class(system, reading) else None


def _unwrapped(download: Download) -> Download:
    """The content of the one folder in which a zip file often has everything. A folder with one file is a student's."""
    inner = download.only_folder() if download.is_archive else None
    return inner if inner and len(inner.tops()) > 1 else download


def _worth_a_word(reading: Reading) -> list[Entry]:
    return [entry for entry in reading.others if not entry.is_folder]
