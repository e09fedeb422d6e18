"""Holds the grader to its word: every known mistake is fed to it, and must lose points and be named."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grading.judging.exercise import Chapter, Exercise, Mistake
from grading.judging.expectations import Expectations, LiveExpectations
from grading.judging.probing import problem, run_layouts
from grading.judging.verdict import judge_exercise
from grading.judging.weight_layouts import LayoutSearch
from grading.sandbox.interpreter import Interpreter


@dataclass(frozen=True)
class Audit:
    """What became of one exercise's mistakes.

    Attributes:
        mistakes: how many it knows.
        caught: how many of them lose points.
        named: how many of them are named, and by nothing else.
    """

    chapter: int
    exercise: str
    points: float
    checks: int
    mistakes: int
    caught: int
    named: int


def audit(chapter: Chapter, live: LiveExpectations | None = None) -> Iterator[Audit]:
    """Feeds every mistake of a chapter to the grader, exercise by exercise.

    Args:
        live: the chapter's expectations, where they are there already.

    Raises:
        GradingError: a check fails on the library's own definition.
    """
    live = live or LiveExpectations(chapter)
    for name, exercise in chapter.exercises.items():
        caught = named = 0
        for mistake in exercise.mistakes:
            with tempfile.TemporaryDirectory() as scratch:
                session = Interpreter(Path(scratch), {name: mistake.implementation})
                result = judge_exercise(exercise, session, live)
            caught += not result.passed
            named += [found.sentence for found in result.mistakes] == [mistake.sentence]
        yield _row(chapter, name, exercise, caught, named)


def let_through(exercise: Exercise, expectations: Expectations) -> list[Mistake]:
    """The mistakes of an exercise that fail no check on inputs of this secret; what they are is not looked for."""
    return [mistake for mistake in exercise.mistakes if not _fails(exercise, mistake, expectations)]


def _fails(exercise: Exercise, mistake: Mistake, expectations: Expectations) -> bool:
    search = LayoutSearch()
    with tempfile.TemporaryDirectory() as scratch:
        session = Interpreter(Path(scratch), {exercise.name: mistake.implementation})
        for check in exercise.checks:
            wanted = expectations.reference(exercise, check)
            tried = run_layouts(exercise, check, session, expectations.secret, wanted, search)
            if problem(check, tried[-1], wanted) is not None:
                return True
    return False


def _row(chapter: Chapter, name: str, exercise: Exercise, caught: int, named: int) -> Audit:
    checks, mistakes = len(exercise.checks), len(exercise.mistakes)
    return Audit(chapter.number, name, exercise.points, checks, mistakes, caught, named)
