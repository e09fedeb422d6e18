"""Statistics of a class's exercises: how hard each is, how well it discriminates, and which mistakes are common."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from grading.classroom.submission_record import SubmissionRecord, is_absent
from grading.judging.exercise import Chapter

_BINS = 10
_NEARLY_ONE = 1 - 1e-12  # of which atanh is finite


class Bin(NamedTuple):
    """The number of students with `low` to `high` percent of the points, `high` itself only if it is 100."""

    low: int
    high: int
    students: int


class ExerciseStatistics(NamedTuple):
    """How a class did in one exercise. Submissions that could not be read are left out.

    Attributes:
        tried: how many were graded.
        passed: how many of them have full marks.
        share: the percentage of points that they earned together.
        discrimination: the point-biserial correlation between full marks and the points in the other exercises, from
            -1 to 1; None if one of the two is the same for all.
        interval: its 95% confidence interval; None for fewer than four students.
    """

    name: str
    tried: int
    passed: int
    share: int
    discrimination: float | None
    interval: tuple[float, float] | None

    @property
    def pass_rate(self) -> int:
        return round(100 * self.passed / self.tried) if self.tried else 0

    @property
    def misleads(self) -> bool:
        """Whether students who get it right do worse in the other exercises, and not by chance."""
        return self.interval is not None and self.interval[1] < 0


class MistakeCount(NamedTuple):
    """The students who made a known mistake.

    Attributes:
        students: the indices of their records.
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
    """Summarize the points of those who handed in, or of all if nobody did. There must be at least one record."""
    records = [record for record in records if not is_absent(record)] or records
    points = [record["earned"] for record in records]
    counts = Counter(min(_BINS - 1, int(_BINS * record["earned"] / record["points"])) for record in records)
    width = 100 // _BINS
    bins = [Bin(width * place, width * (place + 1), counts[place]) for place in range(_BINS)]
    return Summary(round(statistics.fmean(points), 1), round(statistics.median(points), 1), bins)


def exercise_statistics(chapter: Chapter, records: Sequence[SubmissionRecord]) -> list[ExerciseStatistics]:
    """The statistics of each exercise.

    The point-biserial correlation is with the points in the other exercises only, because an exercise would correlate
    with itself. Its interval comes from Fisher's z transformation.

    References:
        Henrysson, "Correction of item-total correlations in item analysis", Psychometrika 28 (1963).
        Fisher, "On the 'probable error' of a coefficient of correlation deduced from a small sample", Metron 1 (1921).
    """
    read = [record for record in records if not record["problem"]]
    rows = []
    for place, name in enumerate(chapter.exercises):
        results = [record["exercises"][place] for record in read]
        passed = [float(result["passed"]) for result in results]
        # Not the sum less this exercise's points: with points given by hand, that differs by a rounding error.
        rest = [sum(other["earned"] for other in record["exercises"] if other["name"] != name) for record in read]
        possible = sum(result["points"] for result in results)
        share = round(100 * sum(result["earned"] for result in results) / possible) if possible else 0
        correlation = _correlation(passed, rest)
        interval = None if correlation is None else _interval(correlation, len(read))
        shown = None if correlation is None else round(correlation, 2)
        rows.append(ExerciseStatistics(name, len(read), int(sum(passed)), share, shown, interval))
    return rows


def mistake_counts(records: Sequence[SubmissionRecord]) -> list[MistakeCount]:
    """The known mistakes in a class's records, the most common first."""
    students_by_mistake: dict[tuple[str, str], list[int]] = {}
    for place, record in enumerate(records):
        for exercise in record["exercises"]:
            for mistake in exercise["mistakes"]:
                students_by_mistake.setdefault((exercise["name"], mistake["sentence"]), []).append(place)
    commonest_first = sorted(students_by_mistake.items(), key=lambda item: -len(item[1]))
    return [MistakeCount(*mistake, students) for mistake, students in commonest_first]


def _correlation(first: list[float], second: list[float]) -> float | None:
    if len(set(first)) < 2 or len(set(second)) < 2:
        return None
    return statistics.correlation(first, second)


def _interval(correlation: float, count: int) -> tuple[float, float] | None:
    """The 95% confidence interval of a correlation: symmetric where atanh makes its spread independent of its size."""
    if count < 4:
        return None
    middle = math.atanh(min(_NEARLY_ONE, max(-_NEARLY_ONE, correlation)))
    reach = statistics.NormalDist().inv_cdf(0.975) / math.sqrt(count - 3)
    return round(math.tanh(middle - reach), 2), round(math.tanh(middle + reach), 2)
