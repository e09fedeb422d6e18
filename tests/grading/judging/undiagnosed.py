"""For tests of verdicts and points alone: what a diagnosis tries, known mistakes above all, would take minutes."""

from __future__ import annotations

from grading.judging.exercise import Exercise, Mistake
from grading.judging.expectations import LiveExpectations
from grading.judging.proxies import Session
from grading.judging.trial import CheckResult, Place
from grading.judging.verdict import try_checks


class WithoutMistakes(LiveExpectations):
    """Expectations by which nothing is diagnosed."""

    def mistakes(self, exercise: Exercise) -> list[Mistake]:
        return []


def results(exercise: Exercise, session: Session, expectations: LiveExpectations) -> list[CheckResult]:
    """What became of each check, and nothing of why."""
    return list(try_checks(exercise, exercise.checks, Place(session, expectations)).results.values())
