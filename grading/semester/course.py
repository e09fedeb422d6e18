"""A course's folder: its decisions, its people, and the marks of all its chapters."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from grading.classroom.enrolment import Claim
from grading.classroom.overrides import Overrides, read_overrides
from grading.classroom.people import FILE as PEOPLE_FILE
from grading.classroom.people import CoursePerson, People
from grading.classroom.records import Records
from grading.classroom.results import Results, graded_chapters
from grading.classroom.submission_record import SubmissionRecord
from grading.exercises.registry import chapter
from grading.gradebook.lateness import Late, Lateness
from grading.gradebook.policy import Mark, Policy, marks
from grading.semester.outlines import outlines
from grading.semester.settings import Settings, read_settings
from grading.semester.times import late_days, read_times
from grading.storage.locks import locked


@dataclass(frozen=True)
class Standing:
    """A student's marks in all graded chapters.

    Attributes:
        student: a name that is unique in the course.
        marks: by chapter; None if the student is not on the roster and did not submit.
        left_out: the chapters that do not count, because they are the student's lowest.
        total: the weighted percentage over the graded chapters that count.
    """

    student: str
    person: CoursePerson
    marks: Mapping[int, Mark | None]
    left_out: frozenset[int]
    total: float

    @cached_property
    def percents(self) -> dict[int, float]:
        """The percentage of each graded chapter; 0 if nothing was handed in."""
        return {number: percent(mark) for number, mark in self.marks.items()}

    @property
    def is_contested(self) -> bool:
        """Whether several submissions claim to be the student's in a chapter."""
        return any(mark and mark.is_contested for mark in self.marks.values())

    @property
    def change(self) -> float | None:
        """How much the last chapter's percentage is above the mean of those before; None before the second."""
        *before, last = self.percents.values()
        return round(last - statistics.fmean(before), 1) if before else None


def percent(mark: Mark | None) -> float:
    """A mark in percent of its points."""
    return 100 * mark.points / mark.out_of if mark else 0.0


class Course:
    """A course's folder.

    Args:
        folder: the folder, with course.toml.

    Raises:
        GradingError: it is no course, or its course.toml cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings: Settings = read_settings(folder)

    @property
    def people(self) -> People:
        """The people, as the files say now.

        Raises:
            GradingError: the roster or people.csv cannot be read.
        """
        return People.read(self.folder)

    def locked(self) -> AbstractContextManager[None]:
        """Lock the files of the course, once another command that writes them has ended.

        Chapters have locks of their own, so that two may be graded at once.
        """
        return locked(self.folder, below=False)

    def join(self, chapters: Iterable[int]) -> None:
        """Write the people file, with the owners of the submissions for some chapters. The course must be locked.

        Raises:
            GradingError: a file of the course or a record cannot be read, or the file cannot be written.
        """
        people = self.people
        for number in chapters:
            people = people.joined(claim.person for claim in self.results(number).claims())
        people.write(self.folder)

    def require_tables(self) -> None:
        """Make sure that the tables which people edit fit together. Before the first grading, nobody is known.

        Raises:
            GradingError: a file cannot be read, or a line does not fit.
        """
        people = self.people
        if (self.folder / PEOPLE_FILE).exists():
            read_overrides(self.folder, people)
            read_times(self.folder, people, self.settings)

    def results(self, number: int) -> Results:
        """The results of a chapter.

        Raises:
            GradingError: the course does not have it.
        """
        self.settings.chapter(number)
        return Results(chapter_folder(self.folder, number), number)

    @property
    def graded(self) -> list[int]:
        """The chapters with results, in the course's order."""
        return [number for number in self.settings.chapters if graded_chapters(chapter_folder(self.folder, number))]

    def standings(self, section: str | None = None) -> list[Standing]:
        """Each student's standing, sorted by name. The records in it are outlines.

        Raises:
            GradingError: a file of the course or a record cannot be read.
        """
        people = self.people
        records = self._records_by_chapter(people, section)
        late = self._late(people, records)
        by_chapter = {number: self._marks(number, of_chapter, late) for number, of_chapter in records.items()}
        here = {id for graded in by_chapter.values() for id in graded}
        # Those of a run that was killed before it wrote people.csv, then those who are there.
        persons = {
            id: CoursePerson(id, record["person"]["name"] or record["person"]["submission"], record["person"]["email"])
            for of_chapter in records.values()
            for id, record in of_chapter.items()
        } | {person.id: person for person in people.persons}
        names = _unique_names(persons[id] for id in here)
        standings = [
            self._standing(names[id], persons[id], {number: graded.get(id) for number, graded in by_chapter.items()})
            for id in here
        ]
        return sorted(standings, key=lambda standing: standing.student)

    def policy(self, number: int, names: Mapping[str, str]) -> Policy:
        """What counts in a chapter under the course's decisions.

        Args:
            names: of the students in the records to mark, by person.

        Raises:
            GradingError: a file of the course or a record cannot be read.
        """
        people = self.people
        return self._policy(number, names, self._late(people, self._records_by_chapter(people)))

    def _records_by_chapter(self, people: People, section: str | None = None) -> dict[int, dict[str, SubmissionRecord]]:
        overrides = read_overrides(self.folder, people)
        return {number: self._records(number, people, overrides, section) for number in self.graded}

    def _late(
        self, people: People, records: Mapping[int, Mapping[str, SubmissionRecord]]
    ) -> Mapping[tuple[int, str], Late]:
        submitted = {
            (number, id): record["person"].get("submitted", "")
            for number, of_chapter in records.items()
            for id, record in of_chapter.items()
        }
        return late_days(self.settings, read_times(self.folder, people, self.settings), submitted)

    def _records(
        self, number: int, people: People, overrides: Overrides, section: str | None
    ) -> dict[str, SubmissionRecord]:
        """The outlines of a chapter's records by person."""
        read = outlines(self.results(number))
        rows = people.rows([Claim(record["person"], path) for path, record in read.items()], section)
        records = Records(rows, number, overrides=overrides, read=read.__getitem__)
        return {row.id: record for row, record in zip(rows, records, strict=True)}

    def _marks(
        self, number: int, records: Mapping[str, SubmissionRecord], late: Mapping[tuple[int, str], Late]
    ) -> dict[str, Mark]:
        """The marks of a chapter by person, under the course's decisions."""
        policy = self._policy(number, {id: record["student"] for id, record in records.items()}, late)
        return dict(zip(records, marks(chapter(number), list(records.values()), policy), strict=True))

    def _policy(self, number: int, names: Mapping[str, str], late: Mapping[tuple[int, str], Late]) -> Policy:
        settings = self.settings.chapter(number)
        named = {name: late[number, id] for id, name in names.items() if (number, id) in late}
        return Policy(settings.drop, settings.extra, Lateness(named, self.settings.late_percent, settings.due))

    def _standing(self, student: str, person: CoursePerson, marked: Mapping[int, Mark | None]) -> Standing:
        percents = {number: percent(mark) for number, mark in marked.items()}
        # Of equal ones, the later chapter is left out.
        lowest_first = sorted(percents, key=lambda number: (percents[number], -[*percents].index(number)))
        left_out = frozenset(lowest_first[: min(self.settings.drop_lowest, len(percents) - 1)])
        weights = {number: self.settings.chapters[number].weight for number in percents if number not in left_out}
        whole = sum(weights.values())
        total = sum(weight * percents[number] for number, weight in weights.items()) / whole if whole else 0.0
        return Standing(student, person, marked, left_out, round(total, 2))


def chapter_folder(course: Path, number: int) -> Path:
    """The folder of a chapter's results in a course."""
    return course / "chapters" / chapter(number).slug


def _unique_names(persons: Iterable[CoursePerson]) -> dict[str, str]:
    """Names by id; the id stands behind those that several people have."""
    names = {person.id: person.name or person.id for person in persons}
    counts = Counter(names.values())
    return {id: name if counts[name] == 1 else f"{name} ({id})" for id, name in names.items()}
