"""What is kept must hold in later chapters: there, weights are found under the names that the docstrings give."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from grading.errors import GradingError
from grading.judging.exercise import Exercise
from grading.judging.named_parts import missing_parts
from grading.judging.proxies import Proxy
from grading.sandbox.errors import SubmissionError
from grading.sandbox.interpreter import Interpreter


def require_named_weights(exercise: Exercise, passed: Any) -> None:
    """Makes sure that later chapters find what they look for in a layer that is right, however it keeps its weights.

    Args:
        exercise: what has passed.
        passed: the student's definition.

    Raises:
        GradingError: they would not, so that the course's own definition has to stand in for it there.
    """
    if exercise.named_weights is None:
        return
    with tempfile.TemporaryDirectory() as scratch:
        session = Interpreter(Path(scratch), {exercise.name: passed})
        try:
            wrong = missing_parts(exercise.named_weights(Proxy(session, exercise.name)))
        except SubmissionError as error:
            wrong = f"cannot be built without a call ({error})"
    if wrong:
        raise GradingError(
            f"it is right, but it {wrong}, and later chapters put published weights there. In these, the course's own "
            f"{exercise.name} stands in for yours; with the names of the docstring, yours is kept"
        )
