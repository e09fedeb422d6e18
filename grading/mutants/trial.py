"""Runs the checks on mutants, in the sandbox, as if students had submitted them."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass

from grading.judging.exercise import Chapter, Check, Exercise
from grading.judging.expectations import Expectations, LiveExpectations
from grading.judging.probing import problem, run_layouts
from grading.judging.proxies import Session
from grading.judging.weight_layouts import LayoutSearch
from grading.mutants.making import Mutant
from grading.release import blanked_library
from grading.sandbox.client import Sandbox
from grading.sandbox.errors import SubmissionError
from grading.sandbox.limits import Limits
from grading.sandbox.session import SandboxSession
from grading.storage.temporary import temporary_folder

# Starting a child process takes as long as the checks of some mutants, so each child tries many.
_MUTANTS_OF_A_CHILD = 40
# Checks end within a second. A mutant that takes several times as long, such as an endless loop, is no right answer.
_OPERATION_SECONDS = 3.0
CANNOT_BE_DEFINED = "cannot be defined"


@dataclass(frozen=True)
class Trial:
    """The result of a mutant.

    Attributes:
        seen_by: a check that killed it; "" if it survived.
    """

    mutant: Mutant
    seen_by: str

    @property
    def survived(self) -> bool:
        return not self.seen_by


class TrialBench:
    """A sandbox for the mutants of one chapter, and the expected answers. Both start with the first mutant.

    Args:
        of: the chapter.
        secret: seeds the inputs of the checks.

    Use it as a context manager. Several threads may try mutants at once.
    """

    def __init__(self, of: Chapter, secret: bytes) -> None:
        self._of = of
        self._secret = secret
        self._stack = ExitStack()
        self._of_thread = threading.local()
        self._lock = threading.Lock()
        self._cheapest_of: dict[str, Check] = {}
        self._started: tuple[Sandbox, LiveExpectations] | None = None

    def __enter__(self) -> TrialBench:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def attempt(self, mutant: Mutant, likely: str = "") -> Trial:
        """Run the checks of a mutant's exercise up to the first failure.

        Args:
            mutant: the mutant.
            likely: the check that killed it before, which is tried first; by default, the cheapest check.
        """
        sandbox, expectations = self._start()
        exercise, session = self._of.exercises[mutant.exercise], self._session(sandbox)
        try:
            session.define(mutant.source, mutant.exercise)
        except SubmissionError:
            return Trial(mutant, CANNOT_BE_DEFINED)
        begin = next(
            (check for check in exercise.checks if check.key == likely), self._cheapest(exercise, expectations)
        )
        # Run it alone, so that it settles no layout of weights for the others.
        seen_by = first_failure(exercise, session, expectations, [begin])
        return Trial(mutant, seen_by or first_failure(exercise, session, expectations))

    def _cheapest(self, exercise: Exercise, expectations: LiveExpectations) -> Check:
        """The check that takes the least time on the reference. Most mutants fail every check."""
        with self._lock:
            if exercise.name not in self._cheapest_of:
                seconds = {}
                for check in exercise.checks:
                    started = time.perf_counter()
                    expectations.reference(exercise, check)
                    seconds[check.key] = time.perf_counter() - started
                self._cheapest_of[exercise.name] = min(exercise.checks, key=lambda check: seconds[check.key])
            return self._cheapest_of[exercise.name]

    def _start(self) -> tuple[Sandbox, LiveExpectations]:
        with self._lock:
            if self._started is None:
                library = self._stack.enter_context(temporary_folder())
                blanked_library(self._of.number, library)
                with ThreadPoolExecutor(1) as beside:  # the sandbox takes seconds to start
                    made = Sandbox(library=library, limits=Limits())
                    sandbox = beside.submit(self._stack.enter_context, made)
                    expectations = LiveExpectations(self._of, self._secret)
                    self._started = sandbox.result(), expectations
            return self._started

    def _session(self, sandbox: Sandbox) -> SandboxSession:
        """The thread's own session, with a new child process now and then."""
        mine = self._of_thread
        if not hasattr(mine, "session"):
            session = SandboxSession(sandbox, math.inf, operation_seconds=_OPERATION_SECONDS)
            mine.session, mine.tried = self._stack.enter_context(session), 0
        elif mine.tried % _MUTANTS_OF_A_CHILD == 0:
            mine.session.close()
        mine.tried += 1
        own: SandboxSession = mine.session
        return own


def first_failure(
    exercise: Exercise, session: Session, expectations: Expectations, checks: Sequence[Check] | None = None
) -> str:
    """The first check that the definition in a session fails, of the given ones or of all; "" if it passes."""
    layout_search = LayoutSearch()
    for check in checks or exercise.checks:
        expected = expectations.reference(exercise, check)
        outcomes = run_layouts(exercise, check, session, expectations.secret, expected, layout_search)
        if problem(check, outcomes[-1], expected):
            return check.key
    return ""
