"""`check(my_function)`, which a notebook calls below an exercise."""

from __future__ import annotations

import inspect
import os
import sys
import tempfile
import textwrap
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from grading.errors import GradingError
from grading.exercises.registry import chapters, exercise_names, find
from grading.extraction.magics import without_magics
from grading.feedback.card import Card, in_points
from grading.feedback.record import record, record_refused, with_waiting
from grading.judging.exercise import Chapter, Exercise
from grading.judging.expectations import Expectations, expectations_for, frozen_path
from grading.judging.trial import Place, Way
from grading.judging.verdict import ExerciseResult, judge_ways
from grading.messages import Message
from grading.sandbox.interpreter import Interpreter
from grading.student_kernel.builds_on import builds_on, helpers_of
from grading.student_kernel.language import said
from grading.student_kernel.last_cell import cell_of, require_last_definition
from grading.student_kernel.missing import explain_what_is_missing
from grading.student_kernel.my_bert import (
    cut_from,
    fall_back_to_course,
    keep,
    kept_in,
    put_in_place,
    put_kept_in_place,
    require_named_weights,
)
from grading.student_kernel.names_taken import NamesTaken

# Stands for a missing argument of `check`.
_NOTHING = object()

# Points of each exercise checked in this kernel, so that every card can show the progress in the chapter.
_earned: dict[str, float] = {}
# Of those that had all points beside the course's own earlier exercises alone: which these were.
_beside: dict[str, tuple[str, ...]] = {}
_names_taken = NamesTaken()


def check(implementation: Any = _NOTHING) -> float | None:
    """Check a definition and show a card: which checks pass and fail, and which mistake you made.

    Code that passes is kept in `my_bert/`, beside the notebook, for later chapters. The definition's name says which
    exercise it is. Errors are shown and not raised, so the notebook can go on.

    Args:
        implementation: the function or class that you wrote.

    Returns:
        None; under nbgrader, which reads a cell's points from its result, the points.
    """
    try:
        chapter, exercise = find(_name(implementation))
        _require_tensorflow()
        _earned.pop(exercise.name, None)  # earlier points do not count until this check is done
        require_last_definition(implementation, exercise.name, _history())
        if refused := record_refused(exercise, _source(implementation, chapter, exercise)):
            _show(Card(refused, _progress(chapter), said(chapter)))
            return _for_nbgrader(0.0)
        result = examine(implementation, chapter, exercise)
    except GradingError as error:
        print(said().say("✗ Cannot check this: {why}", why=said()(str(error))))
        return _for_nbgrader(0.0)
    _earned[exercise.name], _beside[exercise.name] = result.earned, result.beside
    kept = None
    if result.passed:
        kept = _keep(chapter, exercise, implementation)
        if (shell := _shell()) is not None:
            _names_taken.remember(exercise.name, helpers_of(implementation, chapter.exercises), shell.user_ns)
        if _is_released(chapter):
            put_in_place(exercise, implementation)
    shown = record(result, "" if result.passed else _source(implementation, chapter, exercise))
    if not result.passed and not result.problem:
        missing = _unfinished(implementation, chapter, exercise)
        shown = with_waiting(shown, missing, is_wrong=any(name in _earned for name in missing))
    progress = _progress(chapter)
    if kept:
        progress = Message("{progress}. {kept}", progress=progress, kept=kept)
    _show(Card(shown, progress, said(chapter)))
    return _for_nbgrader(result.earned)


def _unfinished(implementation: Any, chapter: Chapter, exercise: Exercise) -> list[str]:
    """The exercises on which it builds and which have not passed yet."""
    others = [name for name in chapter.exercises if name != exercise.name]
    return [name for name in builds_on(implementation, others) if _earned.get(name) != chapter.exercises[name].points]


def _for_nbgrader(points: float) -> float | None:
    return points if "NBGRADER_EXECUTION" in os.environ else None


def examine(implementation: Any, chapter: Chapter, exercise: Exercise) -> ExerciseResult:
    """Run an exercise's checks on a definition in this process, on the CPU.

    In the whole project, what builds on an exercise that has lost points is tried beside the course's own, too.
    """
    expectations = _expectations(chapter.number)
    with tempfile.TemporaryDirectory() as scratch, warnings.catch_warnings(), _as_at_grading():
        # A notebook may have turned warnings into errors, and libraries warn of what no student wrote.
        warnings.filters = [known for known in warnings.filters if known[0] != "error"]
        # Checks ask for texts of one word, too, and Keras takes that for an oversight.
        warnings.filterwarnings("ignore", "You are using a softmax over axis")
        own = Place(Interpreter(Path(scratch), {exercise.name: implementation}), expectations)
        ways = [Way(lambda: own)]
        history = _history()
        if history and not _is_released(chapter):
            found = cut_from(history, chapter, exercise.name)
            lost = tuple(dict.fromkeys(cause for name in found.builds_on for cause in _causes(chapter.exercises[name])))

            def beside() -> Place:
                right = {name: chapter.exercises[name].reference for name in found.builds_on}
                session = Interpreter(Path(scratch), right)
                session.perform({"op": "define", "source": found.alone, "origin": exercise.name})
                return Place(session, expectations)

            ways += [Way(beside, given=lost)] if lost else []
        return judge_ways(exercise, ways)


@contextmanager
def _as_at_grading() -> Iterator[None]:
    """Compute on the CPU and in float32: a GPU and mixed precision have fewer digits than a check compares."""
    keras = sys.modules.get("keras")
    if keras is None:
        yield
        return
    policy = keras.config.dtype_policy()
    keras.config.set_dtype_policy("float32")
    try:
        with keras.device("cpu:0"):
            yield
    finally:
        keras.config.set_dtype_policy(policy)


def _require_tensorflow() -> None:
    keras = sys.modules.get("keras")
    if keras is not None and keras.backend.backend() != "tensorflow":
        raise GradingError(
            Message(
                "checks run Keras on TensorFlow, as grading does, and this notebook runs it on {backend}. Put "
                'import os; os.environ["KERAS_BACKEND"] = "tensorflow" above its imports, and restart the kernel.',
                backend=keras.backend.backend(),
            )
        )


def _causes(exercise: Exercise) -> tuple[str, ...]:
    """The exercises for which what builds on this one may fail: itself, or those that had to be the course's own."""
    return _beside[exercise.name] if _earned.get(exercise.name) == exercise.points else (exercise.name,)


@cache
def _expectations(number: int) -> Expectations:
    from grading.exercises.registry import chapter

    return expectations_for(chapter(number))


def _is_released(chapter: Chapter) -> bool:
    """Whether this is a bundle, in whose library the chapter's answers are blank."""
    return frozen_path(chapter).exists()


def _name(implementation: Any) -> str:
    if implementation is _NOTHING:
        raise GradingError(Message("check needs the function or class that you wrote, as in check(padding_mask)"))
    name = getattr(implementation, "__name__", None)
    known = set[str]().union(*exercise_names().values())
    is_known = isinstance(name, str) and name in known
    if (shell := _shell()) is not None and callable(implementation) and not is_known:
        # A lambda, a partial or a wrapper goes by the name that the notebook gives it.
        name = next((each for each, value in shell.user_ns.items() if value is implementation and each in known), name)
    if not isinstance(name, str):
        raise GradingError(
            Message(
                "check was given {kind} {value}; give it the function or class itself, without calling it, as in "
                "check(padding_mask)",
                kind=type(implementation).__name__,
                value=f"{implementation!r:.60}",
            )
        )
    return name


def _source(implementation: Any, chapter: Chapter, exercise: Exercise) -> str:
    """The definition with all that it refers to; without a history, the text of a function, or of a class's cell."""
    if (history := _history()) and not (cut := cut_from(history, chapter, exercise.name)).problem:
        return cut.source
    if isinstance(implementation, type):
        return cell_of(implementation)
    try:
        text = textwrap.dedent(inspect.getsource(implementation))
        known = inspect.getclosurevars(implementation).globals
    except (OSError, TypeError):
        return ""
    modules = {name: value.__name__ for name, value in known.items() if inspect.ismodule(value)}
    return "".join([*(f"import {module} as {name}\n" for name, module in modules.items()), text])


def _progress(chapter: Chapter) -> Message:
    done = sum(_earned.get(exercise.name) == exercise.points for exercise in chapter.exercises.values())
    earned = sum(_earned.get(name, 0.0) for name in chapter.exercises)
    return Message(
        "Chapter {number}, {title}: {done} of {all} exercises done, {points}",
        number=chapter.number,
        title=Message.of(chapter.title),
        done=done,
        all=len(chapter.exercises),
        points=in_points(earned, chapter.points),
    )


def _keep(chapter: Chapter, exercise: Exercise, passed: Any) -> Message | None:
    """Keep a definition that has passed, and return a sentence that says where, or why not."""
    folder, history = kept_in(), _history()
    if folder is None or not history:
        return None
    try:
        require_named_weights(exercise, passed)
        return Message("Kept in {file}", file=keep(exercise, chapter, history, folder).as_posix())
    except GradingError as error:
        return Message("Not kept: {why}", why=Message.of(str(error)))


def _history() -> list[str]:
    """The cells that were run, without cell magics such as `%%time`.

    It is empty without a notebook, or if its runner keeps no history, as nbval does not.
    """
    shell = _shell()
    if shell is None:
        return []
    cells = zip(shell.user_ns["In"], shell.history_manager.input_hist_raw, strict=False)
    return [without_magics(raw) if raw.lstrip().startswith("%%") else cell for cell, raw in cells if cell]


def _shell() -> Any:
    """The notebook's shell, or None."""
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
    """Set up the kernel when a lesson imports `check`, which it does first: `my_bert`, and one-line errors."""
    fall_back_to_course()
    folder = kept_in()
    for chapter in filter(_is_released, chapters().values()):
        if folder is not None:
            put_kept_in_place(chapter, folder)
    if (shell := _shell()) is not None:
        explain_what_is_missing(shell)
        shell.events.register("post_run_cell", _names_taken.after_cell)


_prepare_the_kernel()
