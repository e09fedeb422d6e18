"""Which known mistakes are named where none explains all that is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.judging.exercise import Check, Exercise, Mistake
from grading.judging.probing import Outcome
from grading.judging.verdict import judge_exercise
from grading.sandbox.values import Value

EXPECTED, FIRST, SECOND, THIRD = (np.full((2, 3), number) for number in (0.0, 1.0, 2.0, 3.0))


class Session:
    """Where nothing is run: what probes give is fixed."""

    def __init__(self) -> None:
        self.kept: dict[Any, Any] = {}

    def perform(self, operation: dict[str, Value], timeout: float | None = None) -> Value:
        return None


class Known:
    """Mistakes, and what each gives in some checks; in the others it gives what is expected."""

    secret = b"tests"

    def __init__(self, gives: dict[str, dict[str, np.ndarray]]) -> None:
        self._gives = gives

    def reference(self, exercise: Exercise, check: Check) -> Outcome:
        return Outcome(EXPECTED)

    def mistakes(self, exercise: Exercise) -> list[Mistake]:
        return [Mistake(sentence, "", None) for sentence in self._gives]

    def mistaken(self, exercise: Exercise, mistake: Mistake, check: Check) -> Outcome:
        return Outcome(self._gives[mistake.sentence].get(check.key, EXPECTED))

    def following(self, exercise: Exercise, check: Check, earlier: Any) -> None:
        return None


def named(given: dict[str, np.ndarray], known: dict[str, dict[str, np.ndarray]]) -> list[str]:
    """The sentences of what is named, for what a student's code gives in each check."""
    exercise = Exercise("gelu", "course.encoder")
    for key, value in given.items():

        def probe(implementation: object, random: object, value: np.ndarray = value) -> np.ndarray:
            return value

        probe.__name__ = key
        exercise.check(f"is right in {key}", points=1)(probe)
    return [mistake.sentence for mistake in judge_exercise(exercise, Session(), Known(known)).mistakes]


def test_what_explains_more_is_named_first() -> None:
    given = {"one": FIRST, "two": SECOND, "three": THIRD}
    known = {"explains one": {"one": FIRST}, "explains two": {"two": SECOND, "three": THIRD}}
    assert named(given, known) == ["explains two", "explains one"]


def test_what_explains_all_is_named_alone() -> None:
    given = {"one": FIRST, "two": SECOND}
    known = {"explains one": {"one": FIRST}, "explains both": {"one": FIRST, "two": SECOND}}
    assert named(given, known) == ["explains both"]


def test_what_would_fail_a_check_that_passed_is_not_named() -> None:
    given = {"one": FIRST, "two": EXPECTED}
    assert named(given, {"fails both": {"one": FIRST, "two": SECOND}}) == []
