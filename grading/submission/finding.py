"""Finds the submissions of a class, one for each student, in an instructor's download."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from grading.errors import GradingError
from grading.submission.download import WANTED, Download, Entry, open_download
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
    """

    submissions: list[SubmissionFile]
    system: System | None
    others: list[Entry]
    unclear: dict[Entry, list[str]] = field(default_factory=dict)

    def sentences(self) -> list[str]:
        """The sentences that the instructor should read before grading starts."""
        students = "1 student" if len(self.submissions) == 1 else f"{len(self.submissions)} students"
        source = f"a download from {self.system.title}" if self.system else "files or folders named after students"
        sentences = [f"Submissions: {source}, {students}"]
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
    found = None if system == PLAIN else read_as(download, system) if system else recognised(download)
    if found:
        by, reading = found
        return Found(submissions_of(reading, download), by, _worth_a_word(reading), reading.unclear)
    submissions = plain_submissions(_unwrapped(download))
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


def class_in(names: Collection[str]) -> tuple[str, int] | None:
    """The system from which a class with these notebooks' paths was downloaded, and its number of students; or None.

    If a student may choose such names, too, they must be those of at least two students.
    """
    entries = tuple(Entry(parts, Path(name)) for name in names if (parts := tuple(Path(name).parts)))
    found = recognised(Download(Path(), "", entries))
    if not found:
        return None
    system, reading = found
    students = len({part.student for part in reading.parts}) + len(reading.unclear)
    return (system.title, students) if system.unmistakable or students > 1 else None


def _unwrapped(download: Download) -> Download:
    """The content of the one folder in which a zip file often has everything. A folder with one file is a student's."""
    inner = download.only_folder() if download.is_archive else None
    return inner if inner and len(inner.tops()) > 1 else download


def _worth_a_word(reading: Reading) -> list[Entry]:
    return [entry for entry in reading.others if not entry.is_folder]
