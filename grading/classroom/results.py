"""The folder of results: one record a student, each written whole, each valid for exactly what it was made from."""

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
from grading.classroom.grader import SubmissionRecord, person_of
from grading.classroom.records import Records, read_record
from grading.classroom.roster import Roster, read_roster
from grading.errors import GradingError
from grading.storage.cache import key_of
from grading.storage.files import write_file
from grading.submission import SubmissionFile, read_files

_ROSTER = "roster.csv"


def new_secret() -> bytes:
    """What nobody can guess."""
    return secrets.token_bytes(16)


class Results:
    """The records of a class for one chapter.

    Args:
        folder: where they are; made at the first write.
        chapter: its number.
    """

    def __init__(self, folder: Path, chapter: int) -> None:
        self.folder = folder
        self.chapter = chapter

    @cached_property
    def secret(self) -> bytes:
        """The seed of the class's inputs: drawn once, kept with the results, readable by their owner alone.

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
            raise GradingError(f"cannot read {path} ({error}); mend it, or grade into another folder") from error

    @property
    def roster(self) -> Roster | None:
        """The roster of the class, as it was given last; None where none ever was.

        Raises:
            GradingError: it cannot be read.
        """
        path = self.folder / _ROSTER
        return read_roster(path) if path.exists() else None

    def keep(self, roster: Roster) -> None:
        """Keeps a roster with the results, readable by their owner alone.

        Raises:
            GradingError: it cannot be written.
        """
        write_file(self.folder / _ROSTER, roster.text(), mode=0o600)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Keeps other runs out of the folder for a while, and removes what a killed one left half written.

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
                # The kernel lets go of it when the process ends, however it ends.
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise GradingError(f"another run writes to {self.folder}; wait for it, or grade elsewhere") from None
            try:
                clear_drafts(self.folder)
            except CourseError as error:
                raise GradingError(str(error)) from error
            yield
        finally:
            os.close(folder)

    def known(self, file: SubmissionFile) -> SubmissionRecord | None:
        """The record of an earlier run, where there is one and nothing that it depends on has changed."""
        stored = self._stored(file)
        return stored["record"] if stored and stored.get("key") == self._key(read_files(file).sha256) else None

    def earlier(self, file: SubmissionFile) -> SubmissionRecord | None:
        """The record of an earlier run, whatever has changed since."""
        return self._stored(file).get("record")

    def _stored(self, file: SubmissionFile) -> dict[str, Any]:
        try:
            stored: dict[str, Any] = json.loads(self._path(file.student).read_text())
        except (OSError, ValueError):
            return {}
        return stored

    def all(self, section: str | None = None) -> Records:
        """Every student of whom there is a record, and whoever else is on the roster, sorted by name.

        Args:
            section: of the roster; the students of all others are left out.

        Raises:
            GradingError: there is no record, one cannot be read, or the roster has no such section.
        """
        folder = self._path("").parent
        claims = [Claim(read_record(path)["person"], path) for path in folder.glob("[!.]*.json")]
        if not claims:
            raise GradingError(f"{folder} holds no results; run `python -m grading grade` first")
        return Records(enrol(claims, self.roster, section), self.chapter)

    def of(self, files: Iterable[SubmissionFile], section: str | None = None) -> Records:
        """The records of these submissions, which have all been graded, and of whoever else is on the roster.

        Raises:
            GradingError: the roster has no such section.
        """
        return Records(self.rows(files, section), self.chapter)

    def rows(self, files: Iterable[SubmissionFile], section: str | None = None) -> list[Row]:
        """Who is in the class, given its submissions; whether these are graded yet does not matter.

        Raises:
            GradingError: the roster has no such section.
        """
        return enrol([Claim(person_of(file), self._path(file.student)) for file in files], self.roster, section)

    def counted(self, files: Sequence[SubmissionFile], section: str | None = None) -> list[SubmissionFile]:
        """The submissions to grade: all but those of whoever is not in the section.

        Raises:
            GradingError: the roster has no such section.
        """
        paths = {path for row in self.rows(files, section) for path in row.claims}
        return [file for file in files if self._path(file.student) in paths]

    def write(self, file: SubmissionFile, record: SubmissionRecord) -> None:
        """Writes a record, whole or not at all.

        Raises:
            GradingError: it cannot be written.
        """
        stored = {"key": self._key(record["submission_sha256"]), "record": record}
        text = json.dumps(stored, indent=1, ensure_ascii=False) + "\n"
        # JSON's own way to write half a character, which no other file can hold.
        write_file(self._path(file.student), text.encode(errors="backslashreplace"))

    def _path(self, student: str) -> Path:
        return self.folder / "records" / f"{self.chapter:02d}" / f"{page_name(student)}.json"

    def _key(self, submission_sha256: str) -> str:
        """What a record depends on: the bytes that were graded, the grader, and the inputs of the checks."""
        return hashlib.sha256(fingerprint().encode() + self.secret + submission_sha256.encode()).hexdigest()


def only_chapter(folder: Path) -> int:
    """The chapter whose results are in a folder.

    Raises:
        GradingError: there is none, or more than one.
    """
    found = sorted(int(path.name) for path in (folder / "records").glob("[0-9][0-9]"))
    if len(found) == 1:
        return found[0]
    if not found:
        raise GradingError(f"{folder} holds no results; run `python -m grading grade` first")
    raise GradingError(f"{folder} holds results of the chapters {', '.join(map(str, found))}; say --chapter")


def page_name(student: str) -> str:
    """A student's name as part of a file name, of bounded length, with a mark that keeps all names apart.

    The mark has 128 bits: whoever chooses names cannot find two that share it.
    """
    plain = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in student)[:40]
    return f"{plain}-{hashlib.sha256(student.encode(errors='surrogatepass')).hexdigest()[:32]}"


@cache
def fingerprint() -> str:
    """Changes with every change of the grader or of the library, so that no stale record is kept."""
    return key_of(["course", "grading"])
