"""The instructor's policy on a chapter's results: dropped exercises, extra credit and late days; and the marks."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime

from grading.classroom.submission_record import TWICE, SubmissionRecord, is_absent
from grading.errors import GradingError
from grading.feedback.card import format_points
from grading.feedback.record import ExerciseRecord
from grading.gradebook.lateness import Late, Lateness, read_time
from grading.judging.exercise import Chapter


@dataclass(frozen=True)
class Policy:
    """The instructor's decisions after grading. The results themselves stay as they are.

    Attributes:
        dropped: exercises that count for nobody.
        extra: exercises whose points are extra credit, beyond 100 %.
        lateness: when students handed in; None if that does not matter.
    """

    dropped: frozenset[str] = frozenset()
    extra: frozenset[str] = frozenset()
    lateness: Lateness | None = None

    def possible(self, chapter: Chapter, name: str) -> float:
        """The points of an exercise that count toward 100 %."""
        return 0.0 if name in self.dropped | self.extra else chapter.exercises[name].points


@dataclass(frozen=True)
class Mark:
    """One student's mark for a chapter.

    Attributes:
        earned: points by exercise, without dropped exercises.
        out_of: the points that make 100 %.
        late: how late it was, or None if the policy or the time is unknown.
        penalty: points deducted for being late.
        record: the record that the mark was made from.
    """

    earned: dict[str, float]
    out_of: float
    late: Late | None
    penalty: float
    record: SubmissionRecord

    @property
    def login(self) -> str:
        """The student's name for other systems: the roster's id, else the name of the submission."""
        person = self.record["person"]
        return person["id"] or person["submission"] or self.student

    @property
    def is_missing(self) -> bool:
        """Whether nothing was handed in."""
        return is_absent(self.record)

    @property
    def is_contested(self) -> bool:
        """Whether several submissions claim to be the student's, so that there is no mark yet."""
        return self.record["person"]["status"] == TWICE and bool(self.record["problem"])

    @property
    def submitted(self) -> datetime | None:
        """When it was handed in, as the policy's times or else the download says; None if neither does."""
        said = self.record["person"].get("submitted", "")
        return self.late.submitted if self.late else read_time(said) if said else None

    @property
    def cell(self) -> str:
        """The points as another system's table has them; "" where there is no mark."""
        return "" if self.is_missing or self.is_contested else format_points(self.points)

    @property
    def student(self) -> str:
        return self.record["student"]

    @property
    def points(self) -> float:
        return round(sum(self.earned.values()) - self.penalty, 2)

    @property
    def exercises(self) -> list[ExerciseRecord]:
        """The records of the exercises that count."""
        return [exercise for exercise in self.record["exercises"] if exercise["name"] in self.earned]


class Marks(Collection[Mark]):
    """The marks of a class, in the order of its records. Each pass makes them again, so none stays in memory."""

    def __init__(self, records: Collection[SubmissionRecord], out_of: float, policy: Policy) -> None:
        self._records = records
        self._out_of = out_of
        self._policy = policy

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[Mark]:
        return (_mark(record, self._out_of, self._policy) for record in self._records)

    def __contains__(self, mark: object) -> bool:
        return any(mark == one for one in self)


def marks(chapter: Chapter, records: Collection[SubmissionRecord], policy: Policy = Policy()) -> Marks:
    """The marks of a class.

    Raises:
        GradingError: the policy names an exercise that the chapter does not have, or drops all of them.
    """
    chapter.require(policy.dropped | policy.extra)
    out_of = sum(policy.possible(chapter, name) for name in chapter.exercises)
    if not out_of:
        raise GradingError(f"no exercise of chapter {chapter.number} is left to count; drop fewer exercises")
    return Marks(records, out_of, policy)


def _mark(record: SubmissionRecord, out_of: float, policy: Policy) -> Mark:
    earned = {
        exercise["name"]: exercise["earned"]
        for exercise in record["exercises"]
        if exercise["name"] not in policy.dropped
    }
    lateness = policy.lateness
    late = lateness.of(names_of(record), record["person"].get("submitted", "")) if lateness else None
    penalty = lateness.penalty(late, sum(earned.values())) if lateness else 0.0
    return Mark(earned, out_of, late, penalty, record)


def names_of(record: SubmissionRecord) -> list[str]:
    """The names under which an instructor's file may list a student."""
    person = record["person"]
    names = (record["student"], person["submission"], person["id"], person["login"], person["email"], person["number"])
    return [name for name in names if name]
