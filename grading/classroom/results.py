"""The folder of results: one record per student, written atomically and valid only for the inputs it was made from."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from course.errors import CourseError
from course.storage.atomic import clear_drafts
from grading.classroom.enrolment import Claim, Row, enrol
from grading.classroom.records import Records, read_record
from grading.classroom.roster import Roster, read_roster
from grading.classroom.submission_record import SubmissionRecord, person_of
from grading.errors import GradingError
from grading.storage.cache import key_of
from grading.storage.files import write_file
from grading.submission import SubmissionFile, read_files

_ROSTER = "roster.csv"


def new_secret() -> bytes:
    """A random secret seed."""
    return secrets.token_bytes(16)


class Results:
    """The records of a class for one chapter.

    Args:
        folder: the folder of results; made at the first write.
        chapter: the chapter's number.
    """

    def __init__(self, folder: Path, chapter: int) -> None:
        self.folder = folder
        self.chapter = chapter

    @cached_property
    def secret(self) -> bytes:
        """The secret seed of the class's inputs: made once, stored with the results, readable by their owner alone.

        Raises:
            GradingError: it cannot be read or written.
        """
        path = self.folder / "secret"
        try:
            return bytes.fromhex(path.read_text())
        except FileNotFoundError:
            secret = new_secret()
            write_file(path, secret.hex(), mode=0o600)
            return secret
        except (OSError, ValueError) as error:
            raise GradingError(f"cannot read {path} ({error}); repair it, or grade into another folder") from error

    @property
    def roster(self) -> Roster | None:
        """The roster that was given last, or None.

        Raises:
            GradingError: it cannot be read.
        """
        path = self.folder / _ROSTER
        return read_roster(path) if path.exists() else None

    def keep(self, roster: Roster) -> None:
        """Store a roster with the results, readable by their owner alone.

        Raises:
            GradingError: it cannot be written.
        """
        write_file(self.folder / _ROSTER, roster.text(), mode=0o600)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Lock the folder against other runs, and remove files that a killed run left half written.

        Raises:
            GradingError: another run writes there, or the folder cannot be made or read.
        """
        import fcntl

        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            folder = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            raise GradingError(f"cannot write results to {self.folder}: {error.strerror}") from error
        try:
            try:
                # The kernel releases the lock however the process ends.
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise GradingError(
                    f"another run is writing to {self.folder}; wait for it, or grade into another folder"
                ) from None
            try:
                clear_drafts(self.folder)
            except CourseError as error:
                raise GradingError(str(error)) from error
            yield
        finally:
            os.close(folder)

    def known(self, file: SubmissionFile) -> SubmissionRecord | None:
        """The record of an earlier run if nothing that it depends on has changed, else None."""
        stored = self._stored(file)
        return stored["record"] if stored and stored.get("key") == self._key(file, read_files(file).sha256) else None

    def earlier(self, file: SubmissionFile) -> SubmissionRecord | None:
        """The record of an earlier run, whatever has changed since, or None."""
        return self._stored(file).get("record")

    def _stored(self, file: SubmissionFile) -> dict[str, Any]:
        try:
            stored: dict[str, Any] = json.loads(self._path(file.student).read_text())
        except (OSError, ValueError):
            return {}
        return stored

    def all(self, section: str | None = None) -> Records:
        """The records of all students who were graded or are on the roster, sorted by name.

        Args:
            section: a section of the roster; the students of all others are left out.

        Raises:
            GradingError: there is no record, one cannot be read, or the roster has no such section.
        """
        folder = self._path("").parent
        claims = [Claim(read_record(path)["person"], path) for path in folder.glob("[!.]*.json")]
        if not claims:
            raise GradingError(f"there are no results in {folder}; run `python -m grading grade` first")
        return Records(enrol(claims, self.roster, section), self.chapter)

    def of(self, files: Iterable[SubmissionFile], section: str | None = None) -> Records:
        """The records of these graded submissions, and of everybody else on the roster.

        Raises:
            GradingError: the roster has no such section.
        """
        return Records(self.rows(files, section), self.chapter)

    def rows(self, files: Iterable[SubmissionFile], section: str | None = None) -> list[Row]:
        """The students of the class, given its submissions, which need not be graded yet.

        Raises:
            GradingError: the roster has no such section.
        """
        return enrol([Claim(person_of(file), self._path(file.student)) for file in files], self.roster, section)

    def counted(self, files: Sequence[SubmissionFile], section: str | None = None) -> list[SubmissionFile]:
        """The submissions to grade: all, or those of the section.

        Raises:
            GradingError: the roster has no such section.
        """
        paths = {path for row in self.rows(files, section) for path in row.claims}
        return [file for file in files if self._path(file.student) in paths]

    def write(self, file: SubmissionFile, record: SubmissionRecord) -> None:
        """Write a record atomically.

        Raises:
            GradingError: it cannot be written.
        """
        stored = {"key": self._key(file, record["submission_sha256"]), "record": record}
        text = json.dumps(stored, indent=1, ensure_ascii=False) + "\n"
        # JSON can escape a lone surrogate, which UTF-8 cannot encode.
        write_file(self._path(file.student), text.encode(errors="backslashreplace"))

    def _path(self, student: str) -> Path:
        return self.folder / "records" / f"{self.chapter:02d}" / f"{page_name(student)}.json"

    def _key(self, file: SubmissionFile, submission_sha256: str) -> str:
        """A hash of all that a record depends on: the submission, its owner and time, the grader, the secret seed."""
        person = repr(file.person).encode(errors="backslashreplace")
        return hashlib.sha256(fingerprint().encode() + self.secret + submission_sha256.encode() + person).hexdigest()


def only_chapter(folder: Path) -> int:
    """The only chapter whose results are in a folder.

    Raises:
        GradingError: there is none, or more than one.
    """
    numbers = graded_chapters(folder)
    if len(numbers) == 1:
        return numbers[0]
    if not numbers:
        raise GradingError(f"there are no results in {folder}; run `python -m grading grade` first")
    raise GradingError(
        f"{folder} has results of the chapters {', '.join(map(str, numbers))}; choose one with --chapter"
    )


def graded_chapters(folder: Path) -> list[int]:
    """The chapters whose results are in a folder."""
    return sorted(int(path.name) for path in (folder / "records").glob("[0-9][0-9]"))


def page_name(student: str) -> str:
    """A student's name as part of a file name, of bounded length, with a hash that makes it unique.

    The hash has 128 bits, so that nobody can find two names that share it.
    """
    plain = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in student)[:40]
    return f"{plain}-{hashlib.sha256(student.encode(errors='surrogatepass')).hexdigest()[:32]}"


@cache
def fingerprint() -> str:
    """A hash of the grader's and the library's sources, so that no stale record is reused."""
    return key_of(["course", "grading"])
