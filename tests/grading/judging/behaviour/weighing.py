"""A small exercise in NumPy, whose docstring names its axes, and the session and the reference that go with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from grading.judging.behaviour.conditions import Conditional, under_conditions
from grading.judging.behaviour.dependence import Moves, moves
from grading.judging.exercise import Check, Exercise
from grading.judging.probing import Outcome, replay_secret, run_probe
from grading.judging.proxies import Proxy
from grading.sandbox.errors import StudentError
from grading.sandbox.values import Value

SECRET = b"tests"


def weigh(x: Any, scale: Any, mask: Any = None, reverse: bool = False) -> np.ndarray:
    """The features of each text, squashed and scaled.

    Args:
        x: (batch, length, width).
        scale: (width,).
        mask: boolean, (batch, length).
        reverse: whether to read the text from its end.

    Returns:
        (batch, length, width).
    """
    x = x[:, ::-1] if reverse else x
    result = np.tanh(x) * scale
    return result if mask is None else np.where(mask[..., None], result, 0.0)


class LocalSession:
    """Calls a NumPy function in this process."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.kept: dict[Any, Any] = {}
        self._function = function

    def perform(self, operation: dict[str, Any], timeout: float | None = None) -> Value:
        if operation["op"] != "call":
            return None
        try:
            return self._function(*operation["args"], **operation["kwargs"])
        except Exception as error:
            raise StudentError(type(error).__name__, str(error)) from error


class Right:
    """The expectations of the right function."""

    secret = SECRET

    def reference(self, exercise: Exercise, check: Check, replay: int = 0) -> Outcome:
        return run_probe(exercise, check, LocalSession(weigh), replay_secret(SECRET, replay))

    def moves(self, exercise: Exercise, check: Check, replay: int = 0) -> Moves:
        return moves(exercise, check, LocalSession(weigh), replay_secret(SECRET, replay))

    def conditional(self, exercise: Exercise, check: Check, replay: int = 0) -> Conditional:
        return under_conditions(exercise, check, LocalSession(weigh), replay_secret(SECRET, replay))


def exercise() -> Exercise:
    weighing = Exercise("weigh", "nowhere")
    weighing.__dict__["reference"] = weigh

    @weighing.check("takes a mask", points=1)
    def masked(implementation: Proxy, random: np.random.RandomState) -> Any:
        x, scale, mask = random.normal(size=(3, 5, 4)), random.normal(size=4), random.random_sample((3, 5)) < 0.6
        return implementation(x, scale, mask)

    @weighing.check("takes longer texts", points=1)
    def longer(implementation: Proxy, random: np.random.RandomState) -> Any:
        x, scale, mask = random.normal(size=(2, 7, 4)), random.normal(size=4), random.random_sample((2, 7)) < 0.6
        return implementation(x, scale, mask)

    return weighing
