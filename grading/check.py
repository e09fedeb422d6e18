"""`check(my_function)`: what a notebook calls below an exercise."""

from __future__ import annotations

import inspect
import linecache
import os
import tempfile
import textwrap
from functools import cache
from pathlib import Path
from typing import Any

from grading.errors import GradingError
from grading.exercise import Chapter, Exercise, find
from grading.expectations import Expectations, expectations_for
from grading.record import record
from grading.report.card import Card, format_points
from grading.sandbox.interpreter import Interpreter
from grading.verdict import ExerciseResult, judge_exercise

# Points of each exercise checked in this kernel, so that every card can say how far the chapter has come.
_earned: dict[str, float] = {}


def check(implementation: Any) -> float | None:
    """Checks a definition and shows a card: what holds, what does not, and which mistake it is.

    The exercise is found by the definition's name. Nothing raises past the card, so the notebook can go on.

    Args:
        implementation: the function or class that you wrote.

    Returns:
        None; under nbgrader, which reads a cell's points from its result, the points.
    """
    try:
        chapter, exercise = find(_name(implementation))
        result = examine(implementation, chapter, exercise)
    except GradingError as error:
        print(f"✗ Cannot check this: {error}")
        return None
    _earned[exercise.name] = result.earned
    _show(Card(record(result), _progress(chapter)))
    return result.earned if "NBGRADER_EXECUTION" in os.environ else None


def examine(implementation: Any, chapter: Chapter, exercise: Exercise) -> ExerciseResult:
    """Runs an exercise's checks on a definition in this process."""
    with tempfile.TemporaryDirectory() as scratch:
        session = Interpreter(Path(scratch), {exercise.name: implementation})
        source = _source(implementation)
        return judge_exercise(exercise, session, _expectations(chapter.number), source=source)


@cache
def _expectations(number: int) -> Expectations:
    from grading.exercise import chapter

    return expectations_for(chapter(number))


def _name(implementation: Any) -> str:
    name = getattr(implementation, "__name__", None)
    if not isinstance(name, str):
        raise GradingError(
            f"given {type(implementation).__name__} {implementation!r:.60}; wanted the function or class itself, "
            "as in check(padding_mask), without calling it"
        )
    return name


def _source(implementation: Any) -> str:
    """The text of a function, or of the cell in which a class stands; "" where it was typed at a prompt."""
    if isinstance(implementation, type):
        methods = [value for value in vars(implementation).values() if inspect.isfunction(value)]
        return "".join(linecache.getlines(methods[0].__code__.co_filename)) if methods else ""
    try:
        return textwrap.dedent(inspect.getsource(implementation))
    except (OSError, TypeError):
        return ""


def _progress(chapter: Chapter) -> str:
    done = sum(_earned.get(exercise.name) == exercise.points for exercise in chapter.exercises.values())
    earned = sum(_earned.get(name, 0.0) for name in chapter.exercises)
    return (
        f"Chapter {chapter.number}, {chapter.title}: {done} of {len(chapter.exercises)} exercises done, "
        f"{format_points(earned)} of {format_points(chapter.points)} points"
    )


def _show(card: Card) -> None:
    try:
        from IPython import get_ipython
        from IPython.display import display
    except ImportError:
        print(card.text())
        return
    if get_ipython() is None:
        print(card.text())
    else:
        display(card)
