"""What the probes give on the reference and on each known mistake.

`LiveExpectations` runs them here, as often as needed, on any seed: so does the grader. A release has neither an answer
nor a mistake to run, so it reads what they gave from a file: see `grading.judging.frozen`.
"""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any, Protocol
from unittest import mock

from grading.errors import GradingError
from grading.extraction.cells import PARSING
from grading.judging.behaviour.conditions import Conditional, under_conditions
from grading.judging.behaviour.dependence import Moves, moves
from grading.judging.exercise import Chapter, Check, Exercise, Mistake
from grading.judging.frozen import PUBLIC_SECRET, FrozenExpectations
from grading.judging.probing import Outcome, run_probe
from grading.sandbox.interpreter import Interpreter
from grading.storage.project import PROJECT

# Exercises of the chapter that a student got wrong in a known way, by name.
Earlier = Mapping[str, Mistake]


class Expectations(Protocol):
    """Where a check finds what to compare with."""

    secret: bytes

    def reference(self, exercise: Exercise, check: Check) -> Outcome: ...

    def mistakes(self, exercise: Exercise) -> list[Mistake]: ...

    def mistaken(self, exercise: Exercise, mistake: Mistake, check: Check) -> Outcome | None:
        """What the check's probe gives on a known mistake; None where that is not known."""
        ...

    def following(self, exercise: Exercise, check: Check, earlier: Earlier) -> Outcome | None:
        """What the check's probe gives on a right definition that uses a student's earlier, mistaken ones.

        None where that is not known.
        """
        ...

    def moves(self, exercise: Exercise, check: Check) -> Moves:
        """Where what the reference gives moves when its inputs or its weights are changed."""
        ...

    def conditional(self, exercise: Exercise, check: Check) -> Conditional:
        """What the reference gives under each condition under which a wrong answer may be right."""
        ...


class LiveExpectations:
    """Runs the reference and the mistakes in this process, each probe once.

    Args:
        chapter: the chapter, whose mistakes are loaded.
        secret: seeds the probes' random inputs.
    """

    def __init__(self, chapter: Chapter, secret: bytes = PUBLIC_SECRET) -> None:
        chapter.load_mistakes()
        self.secret = secret
        self._module = chapter.module
        # Found now: later, `following` may have put a student's mistake in a definition's place for a while.
        self._references = {name: exercise.reference for name, exercise in chapter.exercises.items()}
        self._outcomes: dict[tuple[Hashable, ...], Outcome] = {}
        self._moves: dict[tuple[str, str], Moves] = {}
        self._conditional: dict[tuple[str, str], Conditional] = {}
        # The checks of one implementation mostly come one after the other, and share the layers that they build.
        self._latest: tuple[tuple[Hashable, ...], Interpreter] | None = None
        self._scratch = tempfile.TemporaryDirectory()
        # TensorFlow's global seed is one for all threads, so probes run here one at a time.
        self._lock = PARSING

    def reference(self, exercise: Exercise, check: Check) -> Outcome:
        outcome = self._run(exercise, check, self._references[exercise.name])
        if outcome.failure:
            raise GradingError(
                f"the check {exercise.name}/{check.key} fails on the library's own {exercise.name}: "
                f"{outcome.failure.sentence()}"
            )
        return outcome

    def mistakes(self, exercise: Exercise) -> list[Mistake]:
        return exercise.mistakes

    def mistaken(self, exercise: Exercise, mistake: Mistake, check: Check) -> Outcome:
        return self._run(exercise, check, mistake.implementation)

    def following(self, exercise: Exercise, check: Check, earlier: Earlier) -> Outcome | None:
        mistaken = {name: mistake.implementation for name, mistake in earlier.items()}
        with self._lock:
            swapped = {name: self._as_written(name, implementation) for name, implementation in mistaken.items()}
            with mock.patch.multiple(self._module, **swapped):
                outcome = self._run(exercise, check, self._references[exercise.name], *map(id, mistaken.values()))
        return None if outcome.failure else outcome

    def moves(self, exercise: Exercise, check: Check) -> Moves:
        key = (exercise.name, check.key)
        with self._lock:
            if key not in self._moves:
                reference = self._references[exercise.name]
                session = self._session((id(reference),), {exercise.name: reference})
                self._moves[key] = moves(exercise, check, session, self.secret)
            return self._moves[key]

    def conditional(self, exercise: Exercise, check: Check) -> Conditional:
        key = (exercise.name, check.key)
        with self._lock:
            if key not in self._conditional:
                reference = self._references[exercise.name]
                session = self._session((id(reference),), {exercise.name: reference})
                self._conditional[key] = under_conditions(exercise, check, session, self.secret)
            return self._conditional[key]

    def _as_written(self, name: str, mistaken: Any) -> Any:
        """A mistake that can stand in for the library's definition although it calls that itself."""
        if isinstance(mistaken, type):
            return mistaken
        right = getattr(self._module, name)

        @functools.wraps(mistaken)
        def stand_in(*args: Any, **kwargs: Any) -> Any:
            with mock.patch.object(self._module, name, right):
                return mistaken(*args, **kwargs)

        return stand_in

    def _run(self, exercise: Exercise, check: Check, implementation: Any, *context: int) -> Outcome:
        whose = (id(implementation), *context)
        known = self._outcomes.get((whose, check.key))
        if known is not None:  # without waiting for what another thread has running
            return known
        with self._lock:
            if (whose, check.key) not in self._outcomes:
                session = self._session(whose, {exercise.name: implementation})
                self._outcomes[whose, check.key] = run_probe(exercise, check, session, self.secret)
            return self._outcomes[whose, check.key]

    def _session(self, whose: tuple[Hashable, ...], namespace: Mapping[str, Any]) -> Interpreter:
        if self._latest is None or self._latest[0] != whose:
            self._latest = (whose, Interpreter(Path(self._scratch.name), namespace))
        return self._latest[1]


def frozen_path(chapter: Chapter) -> Path:
    """Where a release keeps what its checks compare with."""
    return PROJECT / "grading" / "exercises" / chapter.package / "expected.gz"


def expectations_for(chapter: Chapter) -> Expectations:
    """Read from the file where this is a release, computed where it is the whole project."""
    path = frozen_path(chapter)
    return FrozenExpectations(path) if path.exists() else LiveExpectations(chapter)
