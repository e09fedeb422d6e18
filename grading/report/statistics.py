"""What a class's results say about its exercises: how hard each is, what it tells apart, which mistakes are common."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from grading.classroom.grader import MISSING, SubmissionRecord
from grading.judging.exercise import Chapter

_BINS = 10


class Bin(NamedTuple):
    """How many students have so many percent of the points: from `low` on, and below `high` unless that is 100."""

    low: int
    high: int
    students: int


class ExerciseStatistics(NamedTuple):
    """How a class did in one exercise. Submissions that could not be read are left out.

    Attributes:
        tried: how many were graded.
        passed: how many of them have all points.
        share: percent of the points that they earned together.
        discrimination: the point-biserial correlation between having all points and the points of the other
            exercises, from -1 to 1; None where all did alike.
    """

    name: str
    tried: int
    passed: int
    share: int
    discrimination: float | None

    @property
    def pass_rate(self) -> int:
        return round(100 * self.passed / self.tried) if self.tried else 0

    @property
    def misleads(self) -> bool:
        """Whether those who get it right do worse in the other exercises."""
        return self.discrimination is not None and self.discrimination < 0


class MistakeCount(NamedTuple):
    """Who made a known mistake.

    Attributes:
        students: their places among the records.
    """

    exercise: str
    sentence: str
    students: list[int]


class Summary(NamedTuple):
    """The points of a class."""

    mean: float
    median: float
    bins: list[Bin]


def summary(records: Sequence[SubmissionRecord]) -> Summary:
    """The points of those of a class who handed in, or of all where nobody did; there is at least one record."""
    records = [record for record in records if record["person"]["status"] != MISSING] or records
    points = [record["earned"] for record in records]
    counts = Counter(min(_BINS - 1, int(_BINS * record["earned"] / record["points"])) for record in records)
    width = 100 // _BINS
    bins = [Bin(width * place, width * (place + 1), counts[place]) for place in range(_BINS)]
    return Summary(round(statistics.fmean(points), 1), round(statistics.median(points), 1), bins)


def exercise_statistics(chapter: Chapter, records: Sequence[SubmissionRecord]) -> list[ExerciseStatistics]:
    """How a class did in each exercise.

    The point-biserial correlation is with the points of the other exercises, not with all: an exercise must not
    correlate with itself.

    Reference:
        Henrysson, "Correction of item-total correlations in item analysis", Psychometrika 28 (1963).
    """
    read = [record for record in records if not record["problem"]]
    found = []
    for place, name in enumerate(chapter.exercises):
        results = [record["exercises"][place] for record in read]
        passed = [float(result["passed"]) for result in results]
        rest = [record["earned"] - result["earned"] for record, result in zip(read, results, strict=True)]
        possible = sum(result["points"] for result in results)
        share = round(100 * sum(result["earned"] for result in results) / possible) if possible else 0
        found.append(ExerciseStatistics(name, len(read), int(sum(passed)), share, _correlation(passed, rest)))
    return found


def mistake_counts(records: Sequence[SubmissionRecord]) -> list[MistakeCount]:
    """The mistakes that were named, the commonest first."""
    found: dict[tuple[str, str], list[int]] = {}
    for place, record in enumerate(records):
        for exercise in record["exercises"]:
            for mistake in exercise["mistakes"]:
                found.setdefault((exercise["name"], mistake["sentence"]), []).append(place)
    commonest_first = sorted(found.items(), key=lambda one: -len(one[1]))
    return [MistakeCount(*mistake, students) for mistake, students in commonest_first]


def _correlation(first: list[float], second: list[float]) -> float | None:
    if len(set(first)) < 2 or len(set(second)) < 2:
        return None
    return round(statistics.correlation(first, second), 2)
