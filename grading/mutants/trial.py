"""Feeds mutants to the checks, in the sandbox, as if they had been handed in."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass

from grading.judging.exercise import Chapter, Exercise
from grading.judging.expectations import Live
from grading.judging.probing import problem, run_layouts
from grading.judging.weight_layouts import LayoutSearch
from grading.mutants.making import Mutant
from grading.release import blanked_library
from grading.sandbox.client import Sandbox
from grading.sandbox.errors import SubmissionError
from grading.sandbox.limits import Limits
from grading.sandbox.session import SandboxSession
from grading.storage.temporary import temporary_folder

# A mutant that never ends is found out by waiting so long; right definitions take a second.
_SECONDS = 20.0
CANNOT_BE_DEFINED = "cannot be defined"


@dataclass(frozen=True)
class Trial:
    """What came of a mutant.

    Attributes:
        seen_by: the check that it fails first; "" where it passes all.
    """

    mutant: Mutant
    seen_by: str

    @property
    def survived(self) -> bool:
        return not self.seen_by


class TrialBench:
    """A sandbox for the mutants of one chapter, and what the checks compare them with.

    Args:
        of: the chapter.
        secret: seeds the inputs of the checks.

    Use it as a context manager. Several threads may try mutants at once.
    """

    def __init__(self, of: Chapter, secret: bytes) -> None:
        self._of = of
        self._secret = secret
        self._stack = ExitStack()

    def __enter__(self) -> TrialBench:
        library = self._stack.enter_context(temporary_folder())
        blanked_library(self._of.number, library)
        with ThreadPoolExecutor(1) as beside:  # the sandbox takes seconds to start
            sandbox = beside.submit(self._stack.enter_context, Sandbox(library=library, limits=Limits()))
            self._expectations = Live(self._of, self._secret)
            for exercise in self._of.exercises.values():
                for check in exercise.checks:
                    self._expectations.reference(exercise, check)
            self._sandbox = sandbox.result()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def attempt(self, mutant: Mutant) -> Trial:
        """Runs the checks of a mutant's exercise up to the first that it fails."""
        exercise = self._of.exercises[mutant.exercise]
        with SandboxSession(self._sandbox, _SECONDS) as session:
            try:
                session.define(mutant.source, mutant.exercise)
            except SubmissionError:
                return Trial(mutant, CANNOT_BE_DEFINED)
            return Trial(mutant, self._first_failure(exercise, session))

    def _first_failure(self, exercise: Exercise, session: SandboxSession) -> str:
        layout_search = LayoutSearch()
        for check in exercise.checks:
            wanted = self._expectations.reference(exercise, check)
            outcomes = run_layouts(exercise, check, session, self._secret, wanted, layout_search)
            if problem(check, outcomes[-1], wanted):
                return check.key
        return ""
