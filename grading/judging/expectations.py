"""What the probes give on the reference and on each known mistake.

`LiveExpectations` runs them here, as often as needed, on any seed: so does the grader. A release has neither an answer
nor a mistake to run, so it reads what they gave from a file: see `grading.judging.frozen`.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Protocol

from grading.errors import GradingError
from grading.extraction.cells import PARSING
from grading.judging.behaviour.conditions import Conditional, under_conditions
from grading.judging.behaviour.dependence import Moves, moves
from grading.judging.exercise import Chapter, Check, Exercise, Mistake
from grading.judging.frozen import PUBLIC_SECRET, FrozenExpectations
from grading.judging.probing import Outcome, problem, replay_secret, run_probe
from grading.sandbox.interpreter import Interpreter
from grading.storage.project import PROJECT


class Reference(Protocol):
    """What is known of the reference."""

    secret: bytes

    def reference(self, exercise: Exercise, check: Check, replay: int = 0) -> Outcome:
        """What the check's probe gives on the reference, on the inputs of a replay (see `replay_secret`)."""
        ...

    def moves(self, exercise: Exercise, check: Check, replay: int = 0) -> Moves:
        """Where what the reference gives moves when its inputs or its weights are changed."""
        ...

    def conditional(self, exercise: Exercise, check: Check, replay: int = 0) -> Conditional:
        """What the reference gives under each condition under which a wrong answer may be right."""
        ...


class Expectations(Reference, Protocol):
    """Where a check finds what to compare with."""

    def mistakes(self, exercise: Exercise) -> list[Mistake]: ...

    def mistaken(self, exercise: Exercise, mistake: Mistake, check: Check) -> Outcome | None:
        """What the check's probe gives on a known mistake; None where that is not known."""
        ...

    def shows(self, exercise: Exercise, mistake: Mistake, check: Check) -> bool:
        """Whether, as far as is known, the check fails on a known mistake."""
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
        self._outcomes: dict[tuple[int, str, int], Outcome] = {}
        self._shows: dict[tuple[int, str], bool] = {}
        self._moves: dict[tuple[str, str, int], Moves] = {}
        self._conditional: dict[tuple[str, str, int], Conditional] = {}
        # The checks of one implementation mostly come one after the other, and share the layers that they build.
        self._latest: tuple[Any, Interpreter] | None = None
        self._scratch = tempfile.TemporaryDirectory()
        # TensorFlow's global seed is one for all threads, so probes run here one at a time.
        self._lock = PARSING

    def reference(self, exercise: Exercise, check: Check, replay: int = 0) -> Outcome:
        outcome = self._run(exercise, check, exercise.reference, replay)
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

    def shows(self, exercise: Exercise, mistake: Mistake, check: Check) -> bool:
        key = (id(mistake.implementation), check.key)
        if key not in self._shows:
            wrong, right = self.mistaken(exercise, mistake, check), self.reference(exercise, check)
            self._shows[key] = problem(check, wrong, right) is not None
        return self._shows[key]

    def moves(self, exercise: Exercise, check: Check, replay: int = 0) -> Moves:
        key = (exercise.name, check.key, replay)
        with self._lock:
            if key not in self._moves:
                session = self._session(exercise, exercise.reference)
                self._moves[key] = moves(exercise, check, session, replay_secret(self.secret, replay))
            return self._moves[key]

    def conditional(self, exercise: Exercise, check: Check, replay: int = 0) -> Conditional:
        key = (exercise.name, check.key, replay)
        with self._lock:
            if key not in self._conditional:
                session = self._session(exercise, exercise.reference)
                secret = replay_secret(self.secret, replay)
                self._conditional[key] = under_conditions(exercise, check, session, secret)
            return self._conditional[key]

    def _run(self, exercise: Exercise, check: Check, implementation: Any, replay: int = 0) -> Outcome:
        key = (id(implementation), check.key, replay)
        known = self._outcomes.get(key)
        if known is not None:  # without waiting for what another thread has running
            return known
        with self._lock:
            if key not in self._outcomes:
                session = self._session(exercise, implementation)
                self._outcomes[key] = run_probe(exercise, check, session, replay_secret(self.secret, replay))
            return self._outcomes[key]

    def _session(self, exercise: Exercise, implementation: Any) -> Interpreter:
        if self._latest is None or self._latest[0] is not implementation:
            self._latest = (implementation, Interpreter(Path(self._scratch.name), {exercise.name: implementation}))
        return self._latest[1]


def frozen_path(chapter: Chapter) -> Path:
    """Where a release keeps what its checks compare with."""
    return PROJECT / "grading" / "exercises" / chapter.package / "expected.gz"


def expectations_for(chapter: Chapter) -> Expectations:
    """Read from the file where this is a release, computed where it is the whole project."""
    path = frozen_path(chapter)
    return FrozenExpectations(path) if path.exists() else LiveExpectations(chapter)
