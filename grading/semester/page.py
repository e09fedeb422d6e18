"""The page of a course: students by chapters, what needs a look, and how exercises and mistakes did."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from grading.classroom.reasons import KINDS, NOTED, reasons
from grading.exercises.registry import chapter
from grading.gradebook.policy import Mark
from grading.judging.exercise import Chapter
from grading.report.pages import file_of, render, script
from grading.report.statistics import ExerciseStatistics, exercise_statistics, mistake_counts
from grading.semester.course import Course, Standing, chapter_folder, percent
from grading.semester.settings import ChapterSettings
from grading.storage.files import write_file

WHO, LATE, FALLING = "who is who", "late at an unknown time", "falling behind"
# So many percentage points below the mean of the chapters before, a chapter is worth a question.
_FALL = 25.0


@dataclass(frozen=True)
class ChapterOverview:
    """How a course did in a chapter.

    Attributes:
        handed_in: the percentages of those who submitted.
        mistakes: how many students made each known mistake, by exercise and sentence.
    """

    chapter: Chapter
    settings: ChapterSettings
    students: int
    handed_in: list[float]
    late: int
    exercises: list[ExerciseStatistics]
    mistakes: Mapping[tuple[str, str], list[str]]

    @property
    def mean(self) -> float | None:
        return round(statistics.fmean(self.handed_in), 1) if self.handed_in else None

    @property
    def median(self) -> float | None:
        return round(statistics.median(self.handed_in), 1) if self.handed_in else None

    def share(self, exercise: str, sentence: str) -> float | None:
        """The percentage of the submissions with a mistake; None without submissions."""
        made = len(self.mistakes.get((exercise, sentence), ()))
        return round(100 * made / len(self.handed_in)) if self.handed_in else None


class Look(NamedTuple):
    """Why a student needs a look.

    Attributes:
        page: the page to look at, relative to the course's folder; "" if there is none.
    """

    kind: str
    text: str
    page: str = ""


class _Student(NamedTuple):
    standing: Standing
    looks: list[Look]
    mistakes: list[int]
    line: str

    @property
    def kinds(self) -> list[str]:
        return list(dict.fromkeys(look.kind for look in self.looks))


class _Mistake(NamedTuple):
    chapter: int
    exercise: str
    sentence: str
    students: list[str]


def overviews(course: Course, standings: Sequence[Standing]) -> dict[int, ChapterOverview]:
    """How a course did in each graded chapter."""
    return {
        number: _overview(
            course, number, {standing.student: mark for standing in standings if (mark := standing.marks[number])}
        )
        for number in course.graded
    }


def write_page(course: Course, earlier: Course | None = None) -> Path:
    """Write a course's `index.html`, and return its path.

    Args:
        earlier: another course, to compare exercises and mistakes with.

    Raises:
        GradingError: a file of a course or a record cannot be read, or the page cannot be written.
    """
    standings = course.standings()
    by_chapter = overviews(course, standings)
    before = overviews(earlier, earlier.standings()) if earlier else {}
    mistakes = _mistakes(by_chapter)
    students = _students(course, standings, mistakes)
    index = course.folder / "index.html"
    page = render(
        "course.html",
        course=course,
        chapters=by_chapter,
        folders={number: _folder(number) for number in by_chapter},
        earlier=earlier,
        before=before,
        students=students,
        look=_by_kind(students),
        mistakes=mistakes,
        total=statistics.fmean(standing.total for standing in standings) if standings else None,
        script=script("class.js"),
    )
    write_file(index, page)
    return index


def _overview(course: Course, number: int, marks: Mapping[str, Mark]) -> ChapterOverview:
    of = chapter(number)
    names = [student for student, mark in marks.items() if not mark.is_missing]
    records = [marks[student].record for student in names]
    return ChapterOverview(
        of,
        course.settings.chapters[number],
        len(marks),
        [percent(marks[student]) for student in names],
        sum(bool(mark.late and mark.late.days) for mark in marks.values()),
        exercise_statistics(of, records),
        {
            (mistake_count.exercise, mistake_count.sentence): [names[place] for place in mistake_count.students]
            for mistake_count in mistake_counts(records)
        },
    )  # fmt: skip


def _mistakes(by_chapter: Mapping[int, ChapterOverview]) -> list[_Mistake]:
    """The mistakes of all chapters, the most common first."""
    found = [
        _Mistake(number, exercise, sentence, students)
        for number, overview in by_chapter.items()
        for (exercise, sentence), students in overview.mistakes.items()
    ]
    return sorted(found, key=lambda mistake: -len(mistake.students))


def _students(course: Course, standings: Sequence[Standing], mistakes: Sequence[_Mistake]) -> list[_Student]:
    made: dict[str, list[int]] = {}
    for place, mistake in enumerate(mistakes):
        for student in mistake.students:
            made.setdefault(student, []).append(place)
    people = course.people
    unclear: dict[str, list[str]] = {}
    for proposal in people.proposals:
        for id in (proposal.person.id, *proposal.others):
            unclear.setdefault(id, []).append(proposal.sentence)
    return [
        _Student(
            standing,
            list(_looks(standing, unclear.get(standing.person.id, []))),
            made.get(standing.student, []),
            _line([*standing.percents.values()]),
        )
        for standing in standings
    ]


def _looks(standing: Standing, unclear: Sequence[str]) -> Iterator[Look]:
    yield from (Look(WHO, sentence) for sentence in unclear)
    for number, mark in standing.marks.items():
        page = f"{_folder(number)}/review/{file_of(mark.student)}" if mark else ""
        for reason in reasons(mark.record) if mark else ():
            if reason.kind != NOTED:
                text = reason.text.removeprefix(f"{reason.kind}: ")
                yield Look(reason.kind, f"chapter {number}: {text}", page)
        if mark and mark.record["person"].get("late") and not mark.late:
            yield Look(LATE, f"chapter {number}: on time, until times.csv says when it was submitted", page)
    if standing.change is not None and standing.change <= -_FALL:
        yield Look(FALLING, f"the last chapter is {-standing.change:g} points below the mean of those before")


def _by_kind(students: Sequence[_Student]) -> dict[str, list[tuple[_Student, list[Look]]]]:
    """Who needs a look, by kind, the most pressing first."""
    order = (WHO, *KINDS, LATE, FALLING)
    found: dict[str, list[tuple[_Student, list[Look]]]] = {kind: [] for kind in order}
    for student in students:
        for kind in student.kinds:
            found[kind].append((student, [look for look in student.looks if look.kind == kind]))
    return {kind: some for kind, some in found.items() if some}


def _line(percents: Sequence[float]) -> str:
    """The points of a small line chart, 100 wide and 24 high."""
    step = 100 / max(1, len(percents) - 1)
    points = (
        f"{place * step:.1f},{22 - 20 * min(max(value, 0), 110) / 110:.1f}" for place, value in enumerate(percents)
    )
    return " ".join(points)


def _folder(number: int) -> str:
    return chapter_folder(Path(), number).as_posix()
