"""Finds the submissions of a class in what an instructor downloaded: one for each student."""

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
        system: from which they were downloaded; None for files and folders named after students.
        others: what that system did not name so that it says whose it is. It is not graded.
        unclear: by file, the students whose it could be. It is not graded as theirs.
    """

    submissions: list[SubmissionFile]
    system: System | None
    others: list[Entry]
    unclear: dict[Entry, list[str]] = field(default_factory=dict)

    def sentences(self) -> list[str]:
        """What the instructor should know before anything is graded."""
        students = "1 student" if len(self.submissions) == 1 else f"{len(self.submissions)} students"
        source = f"a download from {self.system.title}" if self.system else "named after students, of no known system"
        said = [f"Submissions: {source}, {students}"]
        if self.others:
            named = ", ".join(other.shown for other in self.others[:_MOST_NAMED])
            more = len(self.others) - _MOST_NAMED
            said.append(f"Not understood, and not graded: {named}{f' and {more} more' if more > 0 else ''}")
        unclear = [(entry, owners) for entry, owners in self.unclear.items() if not entry.is_folder]
        for entry, owners in unclear[:_MOST_NAMED]:
            could = " or of ".join(owners)
            said.append(
                f"Not graded: {entry.shown} could be of {could}. Look whose it is, and replace the end of its name,"
                " which its author chose"
            )
        if len(unclear) > _MOST_NAMED:
            said.append(f"Not graded: {len(unclear) - _MOST_NAMED} more files that could be of several students")
        return said


def find(path: Path, system: str | None = None) -> Found:
    """Finds the submissions in a folder, or in a zip file that holds a class.

    Args:
        path: as a school's system hands it over, or with one notebook or archive a student, as a file named after
            the student or in a folder named so (`alice.ipynb`, `alice.zip`, `alice/anything.ipynb`).
        system: the name of the system, or "plain" for none; by default, it is recognised.

    Raises:
        GradingError: `path` cannot be listed, holds nothing that looks like a submission, or is not of that system.
    """
    download = open_download(path)
    found = None if system == PLAIN else read_as(download, system) if system else recognised(download)
    if found:
        by, reading = found
        return Found(submissions_of(reading, download), by, _worth_a_word(reading), reading.unclear)
    submissions = plain_submissions(_unwrapped(download))
    if not submissions:
        raise GradingError(
            f"{path} holds no submission; looked for {WANTED} named after the student,"
            " such as alice.ipynb, or a folder named so with one of them in it, such as alice/attention.ipynb"
        )
    return Found(submissions, None, [])


def find_submissions(path: Path, system: str | None = None) -> list[SubmissionFile]:
    """The submissions that `find` finds.

    Raises:
        GradingError: see `find`.
    """
    return find(path, system).submissions


def class_in(names: Collection[str]) -> tuple[str, int] | None:
    """The system whose download of a class these notebooks' paths are, and of how many students; None for no such.

    Of names that a student may use as well, there must be those of two.
    """
    entries = tuple(Entry(parts, Path(name)) for name in names if (parts := tuple(Path(name).parts)))
    found = recognised(Download(Path(), "", entries))
    if not found:
        return None
    system, reading = found
    students = len({part.student for part in reading.parts}) + len(reading.unclear)
    return (system.title, students) if system.unmistakable or students > 1 else None


def _unwrapped(download: Download) -> Download:
    """A zip file often holds one folder that holds everything; with one file in it, that folder is a student's."""
    inner = download.only_folder() if download.is_archive else None
    return inner if inner and len(inner.tops()) > 1 else download


def _worth_a_word(reading: Reading) -> list[Entry]:
    return [entry for entry in reading.others if not entry.is_folder]
