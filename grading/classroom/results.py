"""The folder of results: one record per student, written atomically and valid only for the inputs it was made from."""

from __future__ import annotations

import hashlib
import json
import secrets
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from grading.classroom.enrolment import Claim, Row, enrol
from grading.classroom.overrides import read_overrides
from grading.classroom.people import COURSE_FILE, People
from grading.classroom.records import Records, read_record
from grading.classroom.roster import Roster, read_roster
from grading.classroom.submission_record import SubmissionRecord, person_of
from grading.errors import GradingError
from grading.exercises.registry import chapter
from grading.storage.cache import key_of
from grading.storage.files import write_file
from grading.storage.locks import locked
from grading.storage.project import PROJECT
from grading.storage.tables import read_table, table_text
from grading.submission import SubmissionFile, read_files

_ROSTER = "roster.csv"
_PRESENT = ("download", "record")


def new_secret() -> bytes:
    """A random secret seed."""
    return secrets.token_bytes(16)


class Results:
    """The records of a class for one chapter.

    Args:
        folder: the folder of results; made at the first write. If it is a chapter's folder in a course, the course's
            files say who is who, and which points were given by hand.
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

    @cached_property
    def people(self) -> People | None:
        """The people of the course to which these results belong, or None if they belong to none.

        Raises:
            GradingError: the course's files cannot be read.
        """
        return People.read(self.course) if self.course else None

    @cached_property
    def course(self) -> Path | None:
        """The folder of the course to which these results belong, or None."""
        course = self.folder.absolute().parent.parent
        return course if (course / COURSE_FILE).exists() else None

    def keep(self, roster: Roster) -> None:
        """Store a roster with the results, readable by their owner alone.

        Raises:
            GradingError: it cannot be written.
        """
        write_file(self.folder / _ROSTER, roster.text(), mode=0o600)

    def held(self) -> AbstractContextManager[None]:
        """Lock the folder against other runs, and remove files that a killed run left half written.

        Raises:
            GradingError: another run writes there, or the folder cannot be made or read.
        """
        refusal = f"another run is writing to {self.folder}; wait for it, or grade into another folder"
        return locked(self.folder, refusal)

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
        return self._records(self._enrolled(self.claims(), section))

    def claims(self) -> list[Claim]:
        """The graded submissions that count, with their owners.

        Raises:
            GradingError: there is no such record, or a file cannot be read.
        """
        claims = [Claim(read_record(path)["person"], path) for path in self.paths()]
        if not claims:
            raise GradingError(f"there are no results in {self._records_folder}; run `python -m grading grade` first")
        return claims

    def paths(self) -> list[Path]:
        """The records that count: those of the submissions that were present when the class was last graded.

        Raises:
            GradingError: the list of these submissions cannot be read.
        """
        present = {row["record"] for row in self._present()}
        return [path for path in self._all_paths() if path.name in present]

    def set_aside(self) -> list[str]:
        """The names of the records that do not count, because their submissions are gone.

        A record is known again when its submission returns.

        Raises:
            GradingError: the list of submissions cannot be read.
        """
        counted = set(self.paths())
        return [path.stem[:-33] for path in self._all_paths() if path not in counted]  # without the hash

    def not_graded(self) -> list[str]:
        """The names of the submissions that were present at the last grading and have no record.

        The run was interrupted, or kept to a section; or somebody deleted the record.

        Raises:
            GradingError: the list of submissions cannot be read.
        """
        here = {path.name for path in self._all_paths()}
        return sorted(Path(row["record"]).stem[:-33] for row in self._present() if row["record"] not in here)

    def from_elsewhere(self, submissions: Path, files: Iterable[SubmissionFile]) -> dict[str, str]:
        """The submissions of a download whose records in a course count from another download, with other contents.

        Returns:
            The other download, by the submission's name.

        Raises:
            GradingError: the list of submissions cannot be read.
        """
        here = ("", _name_of(submissions))
        others = {row["record"]: row["download"] for row in self._present() if row["download"] not in here}
        return {
            file.student: others[name]
            for file in files
            if self.course and (name := self._path(file.student).name) in others and self._has_other_contents(file)
        }

    def _has_other_contents(self, file: SubmissionFile) -> bool:
        stored = self._stored(file)
        return "record" in stored and bool(stored["record"].get("submission_sha256") != read_files(file).sha256)

    def keep_present(self, submissions: Path, files: Iterable[SubmissionFile]) -> None:
        """Store which submissions are present, graded or not, so that no others count.

        A chapter of a course may be handed in through several systems. There, the submissions of other downloads count
        as well.

        Args:
            submissions: the download.
            files: the submissions in it.

        Raises:
            GradingError: the list of submissions cannot be read or written.
        """
        download = _name_of(submissions)
        here = {self._path(file.student).name for file in files}
        elsewhere = [row for row in self._present() if row["download"] != download and row["record"] not in here]
        rows = [
            *(elsewhere if self.course else ()),
            *({"download": download, "record": name} for name in sorted(here)),
        ]
        write_file(self.list_of_present, table_text(_PRESENT, rows))

    def add(self, other: Results) -> list[str]:
        """Copy records of results with the same secret, so that they count here. Those that are here stay as they are.

        Returns:
            The names of the records that are here with other contents.

        Raises:
            OSError: a record cannot be read.
            GradingError: another run writes here, or a file cannot be read or written.
        """
        with self.held():
            here = {path.name: path.read_bytes() for path in self._all_paths()}
            there = {path.name: path.read_bytes() for path in other.paths()}
            new = [name for name in there if name not in here]
            if new:
                present = self._present()
                unlisted = {*new}.difference(row["record"] for row in present)
                rows = [*present, *(row for row in other._present() if row["record"] in unlisted)]
                write_file(self.list_of_present, table_text(_PRESENT, rows))
            for name in new:
                write_file(self._records_folder / name, there[name])
        return [Path(name).stem[:-33] for name, content in there.items() if here.get(name, content) != content]

    def _present(self) -> list[dict[str, str]]:
        if self.list_of_present.exists():
            return [cells for _, cells in read_table(self.list_of_present, _PRESENT)]
        # Results of an older version, or taken over into a course.
        return [{"download": "", "record": path.name} for path in self._all_paths()]

    def _all_paths(self) -> list[Path]:
        return sorted(self._records_folder.glob("[!.]*.json"))

    @property
    def list_of_present(self) -> Path:
        """The file that says from which download each record comes."""
        return self._records_folder.with_suffix(".csv")

    @property
    def _records_folder(self) -> Path:
        return self.folder / "records" / f"{self.chapter:02d}"

    def of(self, files: Iterable[SubmissionFile], section: str | None = None) -> Records:
        """The records of these graded submissions, and of everybody else on the roster.

        Raises:
            GradingError: the roster has no such section.
        """
        return self._records(self.rows(files, section))

    def _records(self, rows: list[Row]) -> Records:
        overrides = read_overrides(self.course, self.people) if self.course and self.people else {}
        return Records(rows, self.chapter, overrides=overrides)

    def rows(self, files: Iterable[SubmissionFile], section: str | None = None) -> list[Row]:
        """The students of the class, given its submissions, which need not be graded yet.

        Raises:
            GradingError: the roster has no such section.
        """
        return self._enrolled([Claim(person_of(file), self._path(file.student)) for file in files], section)

    def _enrolled(self, claims: list[Claim], section: str | None) -> list[Row]:
        return self.people.rows(claims, section) if self.people else enrol(claims, self.roster, section)

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
        path = self._records_folder / f"{page_name(student)}.json"
        if not path.stem.isascii() and not path.exists():
            # An older version of this project kept only the ASCII letters of a name.
            plain = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in student)[:40]
            older = path.with_stem(plain + path.stem[-33:])
            return older if older.exists() else path
        return path

    def _key(self, file: SubmissionFile, submission_sha256: str) -> str:
        """A hash of all that a record depends on: the submission, its owner and time, the grader, the secret seed."""
        person = repr(file.person).encode(errors="backslashreplace")
        return hashlib.sha256(fingerprint().encode() + self.secret + submission_sha256.encode() + person).hexdigest()


def _name_of(download: Path) -> str:
    return str(download.resolve()).encode(errors="backslashreplace").decode()


def graded_chapter(folder: Path, number: int | None = None) -> int:
    """The chapter of that number, or the only one whose results are in a folder.

    Raises:
        GradingError: no chapter has that number; or none is given, and there are results of none or of several.
    """
    if number is not None:
        return chapter(number).number
    numbers = graded_chapters(folder)
    if len(numbers) == 1:
        return numbers[0]
    if not numbers:
        raise GradingError(f"there are no results in {folder}; run `python -m grading grade` first")
    raise GradingError(
        f"{folder} has results of the chapters {', '.join(map(str, numbers))}; choose one with --chapter"
    )


def graded_chapters(folder: Path) -> list[int]:
    """The chapters of which a folder has records."""
    return sorted(int(path.name) for path in folder.glob("records/[0-9][0-9]") if any(path.glob("[!.]*.json")))


def page_name(student: str) -> str:
    """A student's name as part of a file name, of bounded length, with a hash that makes it unique.

    Letters of all alphabets stay, with their accents and vowel signs, and hyphens replace everything else; so the name
    is valid on every system. The hash has 128 bits, so that nobody can find two names that share it.
    """
    composed = unicodedata.normalize("NFC", student)
    plain = "".join(letter if unicodedata.category(letter)[0] in "LMN" else "-" for letter in composed)[:40]
    return f"{plain}-{hashlib.sha256(student.encode(errors='surrogatepass')).hexdigest()[:32]}"


@cache
def fingerprint(root: Path = PROJECT) -> str:
    """A hash of all that decides about points, so that no stale record is reused.

    These are the grader and the library, the grader's tables, such as the list of what an answer may use, and the
    lessons, from which the library of a chapter is made.
    """
    others = [*(root / "grading").rglob("*.toml"), *(root / "notebooks" / "source").glob("*.md")]
    return key_of(["course", "grading", *(path.relative_to(root).as_posix() for path in others)], root=root)
