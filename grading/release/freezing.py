"""Runs every check of a chapter on the reference and on its known mistakes, and freezes what a released check needs.

The work is spread over the processors. A slow check is run on a mistake only if the quick ones do not identify it:
until the mistake shows in an answer, and differs from every other mistake in some check that was run on both.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import platform
import sys
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any
from unittest import mock

from grading.errors import GradingError
from grading.exercises.registry import chapter as registered_chapter
from grading.judging.behaviour.conditions import Conditional
from grading.judging.behaviour.dependence import Moves
from grading.judging.exercise import Chapter, Check, Exercise, Mistake
from grading.judging.expectations import LiveExpectations
from grading.judging.frozen import frozen_exercise, frozen_mistake, packed
from grading.judging.probing import REPLAYS, Outcome, agree, problem
from grading.storage.cache import kept, key_of
from grading.storage.project import PROJECT

# Called at each step with the number of finished steps, and of all that are known so far.
Progress = Callable[[int, int], None]


def unseen(done: int, of: int) -> None:
    """Ignore the progress."""


_Outcomes = dict[str, Outcome]


def freeze(chapter: Chapter, executor: Executor, progress: Progress = unseen) -> bytes:
    """Make the file of expected answers for a released chapter's checks.

    It is cached in `build/cache` until a check, a mistake, the library or the grader changes.

    Args:
        chapter: the chapter.
        executor: runs the checks: see `workers`.
        progress: called with the number of finished steps, and of all.

    Raises:
        GradingError: a check fails on the library's own definition.
    """
    return kept(f"{chapter.slug}.gz", frozen_key(chapter), lambda: _freeze(chapter, executor, progress))


@contextmanager
def workers() -> Iterator[Executor]:
    """An executor with one process per processor. They start with the first work, and serve any number of chapters."""
    # Fresh interpreters, because TensorFlow does not survive a fork once it has computed. One thread each, because all
    # processors are busy. No warnings, because the mistakes that cause them are made on purpose.
    settings = {"TF_NUM_INTRAOP_THREADS": "1", "TF_NUM_INTEROP_THREADS": "1", "OMP_NUM_THREADS": "1"}
    with mock.patch.dict(os.environ, settings, PYTHONWARNINGS="ignore"):
        spawn = multiprocessing.get_context("spawn")
        executor = ProcessPoolExecutor(os.cpu_count(), spawn, logging.disable, (logging.WARNING,))
        try:
            yield executor
        except BrokenProcessPool as error:
            raise GradingError("a process that runs the checks was killed; is there enough memory?") from error
        finally:
            executor.shutdown(cancel_futures=True)


def frozen_key(chapter: Chapter, root: Path = PROJECT) -> str:
    """The cache key of frozen answers: it covers checks, mistakes, library, grader, and the libraries and machine."""
    exercises = root / "grading" / "exercises"
    modules = [*exercises.glob("*.py"), *(exercises / chapter.package).glob("*.py")]
    sources = (
        "course",
        "grading/judging",
        "grading/sandbox",
        "grading/release/freezing.py",
        f"grading/exercises/{chapter.package}/mistakes",
        *(path.relative_to(root).as_posix() for path in modules if path.name not in ("solutions.py", "students.py")),
    )
    libraries = [f"{name} {metadata.version(name)}" for name in ("keras", "numpy", "tensorflow")]
    return key_of(sources, sys.version, platform.machine(), *libraries, root=root)


def _freeze(chapter: Chapter, executor: Executor, progress: Progress) -> bytes:
    number, exercises = chapter.number, list(chapter.exercises.values())
    mistakes = executor.submit(_mistakes, number).result()
    counter = _Counter(progress, len(exercises) + sum(map(len, mistakes.values())))
    right = {exercise.name: executor.submit(_right, number, exercise.name) for exercise in exercises}
    outcomes: dict[str, list[_Outcomes]] = {name: [{} for _ in known] for name, known in mistakes.items()}
    quick = {exercise.name: [check.key for check in exercise.checks if not check.slow] for exercise in exercises}
    todo = {(name, index): quick[name] for name, known in mistakes.items() for index in range(len(known))}
    reference: dict[str, _Outcomes] = {}
    while todo:
        running = {executor.submit(_mistaken, number, *which, keys): which for which, keys in todo.items()}
        for future in counter.completed(running):
            name, index = running[future]
            outcomes[name][index] |= future.result()
        reference = reference or {
            name: {key: replays[0] for key, replays in future.result()[0].items()} for name, future in right.items()
        }
        todo = {
            (exercise.name, index): keys
            for exercise in exercises
            for index, keys in _left_open(exercise, reference[exercise.name], outcomes[exercise.name])
        }
    frozen = {}
    for one in exercises:
        frozen[one.name] = frozen_exercise(*right[one.name].result())
        counter.advance()
        for mistake, known in zip(mistakes[one.name], outcomes[one.name], strict=True):
            shown = {check.key: known[check.key] for check in one.checks if _shows(check, known, reference[one.name])}
            unknown = [check.key for check in one.checks if check.key not in known]
            frozen[one.name]["mistakes"].append(frozen_mistake(mistake, shown, unknown))
    return packed(frozen)


def _left_open(exercise: Exercise, reference: _Outcomes, outcomes: list[_Outcomes]) -> Iterator[tuple[int, list[str]]]:
    """Yield the indices of mistakes that need one more check, each with the key of that check."""
    # Many mistakes share a verdict, so only answers identify a mistake, and checks with answers come first.
    answers = [check for check in exercise.checks if check.judge is None]
    in_turn = [*answers, *(check for check in exercise.checks if check.judge is not None)]
    for index, known in enumerate(outcomes):
        next_check = next((check.key for check in in_turn if check.key not in known), None)
        told_apart = any(_shows(check, known, reference) for check in answers) and all(
            any(_differ(check, known, other) for check in answers)
            for other in (*outcomes[:index], *outcomes[index + 1 :])
        )
        if next_check and not told_apart:
            yield index, [next_check]


def _shows(check: Check, known: _Outcomes, reference: _Outcomes) -> bool:
    """Whether a check fails on a mistake."""
    return check.key in known and problem(check, known[check.key], reference[check.key]) is not None


def _differ(check: Check, one: _Outcomes, other: _Outcomes) -> bool:
    return check.key in one and check.key in other and not agree(check, one[check.key], other[check.key])


class _Counter:
    """Counts the finished work and reports it.

    Args:
        progress: called at each step.
        of: the number of steps known at first.
    """

    def __init__(self, progress: Progress, of: int) -> None:
        self._progress, self._done, self._of = progress, 0, of

    def completed(self, futures: Collection[Future[Any]]) -> Iterator[Future[Any]]:
        """Yield the futures in the order in which they end."""
        self._of = max(self._of, self._done + len(futures))
        for future in as_completed(futures):
            yield future
            self.advance()

    def advance(self) -> None:
        self._done += 1
        self._progress(self._done, self._of)


# In a worker -------------------------------------------------------------------------------------------------


@cache
def _live(number: int) -> LiveExpectations:
    return LiveExpectations(registered_chapter(number))


def _mistakes(number: int) -> dict[str, list[Mistake]]:
    """The known mistakes of each exercise, without their code."""
    live, exercises = _live(number), registered_chapter(number).exercises
    return {
        name: [Mistake(known.name, known.sentence, known.hint) for known in live.mistakes(exercise)]
        for name, exercise in exercises.items()
    }


def _right(
    number: int, name: str
) -> tuple[dict[str, list[Outcome]], dict[str, list[Moves]], dict[str, list[Conditional]]]:
    """The reference's outcomes in each check and its replays: by themselves, and under each change and condition."""
    live, exercise = _live(number), registered_chapter(number).exercises[name]
    # What never moves is not replayed, because observations need no more.
    runs = [(one, range(REPLAYS + 1 if live.moves(exercise, one) else 1)) for one in exercise.checks]
    return (
        {check.key: [live.reference(exercise, check, replay) for replay in replays] for check, replays in runs},
        {check.key: [live.moves(exercise, check, replay) for replay in replays] for check, replays in runs},
        {check.key: [live.conditional(exercise, check, replay) for replay in replays] for check, replays in runs},
    )


def _mistaken(number: int, name: str, index: int, keys: list[str]) -> _Outcomes:
    """A known mistake's outcomes in some checks."""
    live, exercise = _live(number), registered_chapter(number).exercises[name]
    mistake = live.mistakes(exercise)[index]
    return {check.key: live.mistaken(exercise, mistake, check) for check in exercise.checks if check.key in keys}
