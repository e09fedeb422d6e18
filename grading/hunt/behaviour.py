"""Tries callables in place of exercises, to find which of them earn points, and how they are called."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import keras

from grading.hunt.first_calls import FirstCall, first_calls
from grading.hunt.fitting import fits
from grading.hunt.harmless import limited
from grading.hunt.held import Held
from grading.hunt.ways import Way, adapted, called, first_of, ways
from grading.judging.exercise import Exercise
from grading.judging.expectations import LiveExpectations
from grading.judging.probing import problem, run_layouts
from grading.judging.trial import Place
from grading.judging.verdict import try_checks
from grading.judging.weight_layouts import LayoutSearch
from grading.sandbox.errors import StudentTimeout
from grading.sandbox.interpreter import Interpreter
from grading.sandbox.values import Value

_SECONDS_OF_A_CALL = 2.0
_SECONDS_OF_AN_OPERATION = 10.0
_NO_ANSWER = "no answer"
# A callable that earns this part of an exercise's points is an answer.
_ENOUGH = 0.5


@dataclass(frozen=True)
class Earner:
    """A callable that earns at least half of an exercise's points.

    Attributes:
        exercise: the exercise's name.
        held: the callable's dotted name.
        written: the call as a student would write it.
        share: the part of the points that it earns, 0 to 1.
    """

    exercise: str
    held: str
    written: str
    share: float


class LimitedInterpreter(Interpreter):
    """An interpreter whose operations have a time limit."""

    def perform(self, operation: dict[str, Value], timeout: float | None = None) -> Value:
        with limited(_SECONDS_OF_AN_OPERATION, StudentTimeout(_SECONDS_OF_AN_OPERATION)):
            return super().perform(operation, timeout)


class Stand:
    """An exercise in whose place callables are tried.

    Args:
        exercise: the exercise.
        expectations: the answers that its checks expect.
        scratch: an empty folder.

    Attributes:
        calls: how many calls have been tried so far.
    """

    def __init__(self, exercise: Exercise, expectations: LiveExpectations, scratch: Path) -> None:
        self.calls = 0
        self.exercise = exercise
        self._expectations = expectations
        self._scratch = scratch
        self._is_layer = _is_layer(exercise.reference)
        self._first_calls = first_calls(exercise, expectations, self._session)
        for call in self._first_calls:
            expectations.reference(exercise, call.check)

    def prepare(self) -> None:
        """Run every check on the reference now, so that the reference need not run later."""
        for check in self.exercise.checks:
            self._expectations.reference(self.exercise, check)

    def likely(self, held: Held) -> list[Way]:
        """The ways to call a callable in which it may be an answer: it agrees with the reference in a first call."""
        likely: list[Way] = []
        if inspect.isclass(self.exercise.reference) != (inspect.isclass(held.value) and not held.method):
            return likely
        agreeing = self._agreeing_class if inspect.isclass(self.exercise.reference) else self._agreeing
        for call in self._first_calls:
            likely += [way for way in agreeing(held, call) if way not in likely]
        return likely

    def earner(self, held: Held, likely: Iterable[Way]) -> Earner | None:
        """The way in which a callable earns the most, or None if that is less than half of the points."""
        passing = (way for way in likely if any(self._passes(held, way, call) for call in self._first_calls))
        best = max((self._earned(held, way) for way in passing), key=lambda earner: earner.share, default=None)
        return best if best and best.share >= _ENOUGH else None

    def _agreeing(self, held: Held, call: FirstCall) -> Iterator[Way]:
        if not (fits(call.answer, held.returned) or fits((), held.returned)):  # a tuple's first item may be the answer
            return
        for way in ways(held, self.exercise.reference, call.given):
            self.calls += 1
            answer = self._answer(held, way, call)
            if call.agrees(answer):
                yield way
            elif isinstance(answer, list | tuple) and len(answer) and call.agrees(answer[0]):
                yield first_of(way)

    def _answer(self, held: Held, way: Way, call: FirstCall) -> Any:
        """The callable's answer in a first call; `_NO_ANSWER` if it raises or does not end."""
        try:
            with limited(_SECONDS_OF_A_CALL, StudentTimeout(_SECONDS_OF_A_CALL)):
                return called(held, way, self.exercise.reference, call.fresh())
        except (Exception, SystemExit):
            return _NO_ANSWER

    def _agreeing_class(self, held: Held, call: FirstCall) -> Iterator[Way]:
        """Yield the ways in which another class, made with the same arguments, passes the check."""
        if _is_layer(held.value) != self._is_layer:
            return
        for way in ways(held, self.exercise.reference, call.given):
            self.calls += 1
            if self._passes(held, way, call):
                yield way

    def _passes(self, held: Held, way: Way, call: FirstCall) -> bool:
        session = self._session({self.exercise.name: adapted(held, way, self.exercise.reference)})
        expected = self._expectations.reference(self.exercise, call.check)
        outcomes = run_layouts(self.exercise, call.check, session, self._expectations.secret, expected, LayoutSearch())
        return problem(call.check, outcomes[-1], expected) is None

    def _earned(self, held: Held, way: Way) -> Earner:
        session = self._session({self.exercise.name: adapted(held, way, self.exercise.reference)})
        trial = try_checks(self.exercise, self.exercise.checks, Place(session, self._expectations))
        earned = sum(result.earned for result in trial.results.values())
        return Earner(self.exercise.name, held.name, way.written(held), earned / self.exercise.points)

    def _session(self, definitions: Mapping[str, Any]) -> LimitedInterpreter:
        return LimitedInterpreter(self._scratch, definitions)


def _is_layer(value: Any) -> bool:
    return inspect.isclass(value) and issubclass(value, keras.layers.Layer)
