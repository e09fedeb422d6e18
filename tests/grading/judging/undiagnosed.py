"""Expectations for tests of verdicts alone: the outcomes of known mistakes would take minutes."""

from __future__ import annotations

from grading.judging.exercise import Exercise, Mistake
from grading.judging.expectations import LiveExpectations


class WithoutMistakes(LiveExpectations):
    """Expectations by which nothing is diagnosed."""

    def mistakes(self, exercise: Exercise) -> list[Mistake]:
        return []
