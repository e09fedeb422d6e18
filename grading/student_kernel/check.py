"""`check(my_function)`: what a notebook calls below an exercise."""

from __future__ import annotations

import inspect
import os
import tempfile
import textwrap
from functools import cache
from pathlib import Path
from typing import Any

from grading.errors import GradingError
from grading.exercises.registry import chapters, find
from grading.feedback.card import Card, in_points
from grading.feedback.record import record
from grading.judging.exercise import Chapter, Exercise, Mistake
from grading.judging.expectations import Expectations, expectations_for, frozen_path
from grading.judging.verdict import ExerciseResult, judge_exercise, ready_made_in
from grading.sandbox.interpreter import Interpreter
from grading.student_kernel.builds_on import builds_on, helpers_of
from grading.student_kernel.last_cell import cell_of, require_last_definition
from grading.student_kernel.missing import explain_what_is_missing
from grading.student_kernel.my_bert import (
    fall_back_to_course,
    keep,
    kept_in,
    put_in_place,
    put_kept_in_place,
    require_named_weights,
)
from grading.student_kernel.names_taken import NamesTaken

# What `check` is given where a student gives it nothing.
_NOTHING = object()

# Points of each exercise checked in this kernel, so that every card can say how far the chapter has come.
_earned: dict[str, float] = {}
# Known mistakes that were made in this kernel. What builds on one is not blamed for it, where that can be told.
_mistakes: dict[str, Mistake] = {}
_names_taken = NamesTaken()


def check(implementation: Any = _NOTHING) -> float | None:
    """Checks a definition and shows a card: what holds, what does not, and which mistake it is.

    What passes is kept in `my_bert/`, beside the notebook, and later chapters build on it. The exercise is found by
    the definition's name. Nothing raises past the card, so the notebook can go on.

    Args:
        implementation: the function or class that you wrote.

    Returns:
        None; under nbgrader, which reads a cell's points from its result, the points.
    """
    try:
        chapter, exercise = find(_name(implementation))
        _earned.pop(exercise.name, None)  # what passed before does not count until this is checked
        require_last_definition(implementation, exercise.name, _history())
        result = examine(implementation, chapter, exercise)
    except GradingError as error:
        print(f"✗ Cannot check this: {error}")
        return _for_nbgrader(0.0)
    _earned[exercise.name] = result.earned
    _mistakes.pop(exercise.name, None)
    if len(result.mistakes) == 1:
        _mistakes[exercise.name] = result.mistakes[0]
    kept = ""
    if result.passed:
        kept = _keep(chapter, exercise, implementation)
        if (shell := _shell()) is not None:
            _names_taken.remember(exercise.name, helpers_of(implementation, chapter.exercises), shell.user_ns)
        if _is_released(chapter):
            put_in_place(exercise, implementation)
    shown = record(result)
    if not result.passed and not result.problem:
        shown["problem"] = _what_it_waits_for(implementation, chapter, exercise)
    _show(Card(shown, _progress(chapter) + kept))
    return _for_nbgrader(result.earned)


def _what_it_waits_for(implementation: Any, chapter: Chapter, exercise: Exercise) -> str:
    """Which exercises it builds on have not passed yet, as a sentence; "" where all have."""
    others = [name for name in chapter.exercises if name != exercise.name]
    missing = [
        f"`{name}`" for name in builds_on(implementation, others) if _earned.get(name) != chapter.exercises[name].points
    ]
    if not missing:
        return ""
    have = "have" if len(missing) > 1 else "has"
    return (
        f"It builds on {' and '.join(missing)}, which {have} not passed here yet. Begin there: what fails below may be "
        "nothing else."
    )


def _for_nbgrader(points: float) -> float | None:
    return points if "NBGRADER_EXECUTION" in os.environ else None


def examine(implementation: Any, chapter: Chapter, exercise: Exercise) -> ExerciseResult:
    """Runs an exercise's checks on a definition in this process."""
    with tempfile.TemporaryDirectory() as scratch:
        session = Interpreter(Path(scratch), {exercise.name: implementation})
        source = _source(implementation)
        others = chapter.exercises.keys() - {exercise.name}
        earlier = {name: mistake for name, mistake in _mistakes.items() if name in others}
        return judge_exercise(
            exercise,
            session,
            _expectations(chapter.number),
            ready_made=ready_made_in(exercise, source),
            earlier=earlier,
        )


@cache
def _expectations(number: int) -> Expectations:
    from grading.exercises.registry import chapter

    return expectations_for(chapter(number))


def _is_released(chapter: Chapter) -> bool:
    """Whether this is a bundle, in whose library the chapter's answers are blank."""
    return frozen_path(chapter).exists()


def _name(implementation: Any) -> str:
    if implementation is _NOTHING:
        raise GradingError("given nothing; wanted the function or class that you wrote, as in check(padding_mask)")
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
        return cell_of(implementation)
    try:
        return textwrap.dedent(inspect.getsource(implementation))
    except (OSError, TypeError):
        return ""


def _progress(chapter: Chapter) -> str:
    done = sum(_earned.get(exercise.name) == exercise.points for exercise in chapter.exercises.values())
    earned = sum(_earned.get(name, 0.0) for name in chapter.exercises)
    return (
        f"Chapter {chapter.number}, {chapter.title}: {done} of {len(chapter.exercises)} exercises done, "
        f"{in_points(earned, chapter.points)}"
    )


def _keep(chapter: Chapter, exercise: Exercise, passed: Any) -> str:
    """Keeps what has passed, and says where, or why not."""
    folder, history = kept_in(), _history()
    if folder is None or not history:
        return ""
    try:
        require_named_weights(exercise, passed)
        return f". Kept in {keep(exercise, chapter, history, folder).as_posix()}"
    except GradingError as error:
        return f". Not kept: {error}"


def _history() -> list[str]:
    """The cells that were run; none where Python runs without a notebook, or its runner keeps no history, as nbval."""
    shell = _shell()
    return [cell for cell in shell.user_ns["In"] if cell] if shell else []


def _shell() -> Any:
    """The notebook's shell; None where Python runs without one."""
    try:
        from IPython import get_ipython
    except ImportError:
        return None
    return get_ipython()


def _show(card: Card) -> None:
    if _shell() is None:
        print(card.text())
        return
    from IPython.display import display

    display(card)


def _prepare_the_kernel() -> None:
    """A lesson imports `check` before all else, and from `my_bert` what earlier chapters taught."""
    fall_back_to_course()
    folder = kept_in()
    for chapter in filter(_is_released, chapters().values()):
        if folder is not None:
            put_kept_in_place(chapter, folder)
    if (shell := _shell()) is not None:
        explain_what_is_missing(shell)
        shell.events.register("post_run_cell", _names_taken.after_cell)


_prepare_the_kernel()
