"""The first call of the reference in each check, and its answer: a quick sieve for other callables."""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grading.hunt.fitting import is_array
from grading.hunt.held import arguments_by_name
from grading.judging.comparison import compare
from grading.judging.exercise import Check, Exercise
from grading.judging.expectations import LiveExpectations
from grading.judging.probing import run_probe
from grading.judging.proxies import Session

_OBJECT = "an object"
_CAN_CHANGE = (list, dict, set, np.ndarray, np.random.Generator, np.random.RandomState)


@dataclass(frozen=True)
class FirstCall:
    """The first call of the reference in a check.

    Attributes:
        check: the check.
        given: the arguments, by name.
        answer: the result; for a class, the object.
    """

    check: Check
    given: Mapping[str, Any]
    answer: Any

    def fresh(self) -> dict[str, Any]:
        """A copy of the arguments in their original state."""
        return {name: _fresh(value) for name, value in self.given.items()}

    def agrees(self, answer: Any) -> bool:
        """Whether this may be the exercise's answer: equal, or of the same form if a judge decides."""
        try:
            expected, given = plain(self.answer), plain(answer)
            if self.check.judge is not None:
                return bool(_form(expected) == _form(given))
            return compare(given, expected, self.check.tolerance) is None
        except Exception:  # what comes back may be anything, such as a tensor without numbers
            return False


def first_calls(
    exercise: Exercise, expectations: LiveExpectations, open_session: Callable[[Mapping[str, Any]], Session]
) -> list[FirstCall]:
    """The first calls in the checks with the most points, which together are worth more than half of the points.

    A callable that earns half of the points passes at least one of these checks.

    Args:
        exercise: the exercise.
        expectations: the answers that its checks expect.
        open_session: makes a session from definitions by name.
    """
    calls: list[FirstCall] = []
    for check in sorted(exercise.checks, key=lambda check: -check.points):
        if sum(call.check.points for call in calls) > exercise.points / 2:
            break
        recorded: list[tuple[dict[str, Any], Any]] = []
        session = open_session({exercise.name: _recording(exercise.reference, recorded)})
        run_probe(exercise, check, session, expectations.secret)
        if inspect.isclass(exercise.reference) and not recorded:  # its class methods may have been called
            recorded.append(({}, None))
        calls += [FirstCall(check, given, answer) for given, answer in recorded]
    return calls


def _recording(reference: Any, recorded: list[tuple[dict[str, Any], Any]]) -> Callable[..., Any]:
    """The reference, wrapped so that its first call is recorded, except for symbolic calls, which have no numbers."""

    @functools.wraps(reference, updated=())
    def record(*args: Any, **kwargs: Any) -> Any:
        given = {name: _fresh(value) for name, value in arguments_by_name(reference, args, kwargs).items()}
        answer = reference(*args, **kwargs)
        if not recorded and not any(map(_is_symbolic, given.values())):
            recorded.append((given, answer))
        return answer

    return record


def _is_symbolic(value: Any) -> bool:
    return is_array(value) and not hasattr(value, "__array__")


def _fresh(value: Any) -> Any:
    return copy.deepcopy(value) if isinstance(value, _CAN_CHANGE) else value


def plain(value: Any) -> Any:
    """An answer with NumPy arrays in place of tensors, and one placeholder for objects, which only checks inspect."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [plain(item) for item in value]
    if is_array(value):
        return np.asarray(value)
    return value if isinstance(value, bool | int | float | str | None) else _OBJECT


def _form(value: Any) -> Any:
    """The form of an answer, without its numbers."""
    if isinstance(value, dict):
        return {key: _form(item) for key, item in value.items()}
    if isinstance(value, list):
        return ["list", *({str(_form(item)) for item in value})]
    return (value.shape, value.dtype.kind) if isinstance(value, np.ndarray) else type(value).__name__
