"""Makes sure that later chapters can use a kept layer: they find its weights under the names in the docstrings."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from grading.errors import GradingError
from grading.judging.exercise import Exercise
from grading.judging.named_parts import missing_parts
from grading.judging.proxies import Proxy
from grading.messages import Message
from grading.sandbox.errors import SubmissionError
from grading.sandbox.interpreter import Interpreter


def require_named_weights(exercise: Exercise, passed: Any) -> None:
    """Make sure that a layer that passed has its weights under the names that later chapters use.

    Args:
        exercise: the exercise that has passed.
        passed: the student's definition.

    Raises:
        GradingError: it does not, so that later chapters must use the course's definition.
    """
    if exercise.named_weights is None:
        return
    with tempfile.TemporaryDirectory() as scratch:
        session = Interpreter(Path(scratch), {exercise.name: passed})
        try:
            wrong = missing_parts(exercise.named_weights(Proxy(session, exercise.name)))
        except SubmissionError as error:
            wrong = Message("cannot be built without a call ({error})", error=str(error))
    if wrong:
        raise GradingError(
            Message(
                "it is right, but it {wrong}, and later chapters put published weights there. They will use the "
                "course's {exercise} in place of yours; use the names in the docstring, and yours is kept",
                wrong=Message.of(wrong),
                exercise=exercise.name,
            )
        )
