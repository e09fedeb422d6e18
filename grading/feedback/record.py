"""A result as plain values: what is shown on a card or a page, written to disk and counted in the class."""

from __future__ import annotations

from typing import Any, TypedDict

from grading.feedback.heatmap import panels
from grading.judging.exercise import Exercise
from grading.judging.verdict import CheckResult, ExerciseResult


class CheckRecord(TypedDict):
    """One check; `message` says what is wrong, and is "" where there is nothing to say."""

    title: str
    points: float
    earned: float
    passed: bool
    message: str


class ExerciseRecord(TypedDict):
    """One exercise. `problem` says why its code could not be checked at all; "" where it could."""

    name: str
    points: float
    earned: float
    passed: bool
    problem: str
    checks: list[CheckRecord]
    mistakes: list[dict[str, str]]
    ready_made: list[str]
    panels: list[dict[str, Any]]


def record(result: ExerciseResult) -> ExerciseRecord:
    """The record of an exercise whose checks have run."""
    wrong = next((check.difference for check in result.checks if check.difference), None)
    messages = _each_once([_message(check) for check in result.checks])
    return {
        "name": result.exercise.name,
        "points": result.exercise.points,
        "earned": result.earned,
        "passed": result.passed,
        "problem": result.problem,
        "checks": [
            {
                "title": check.check.title,
                "points": check.check.points,
                "earned": check.earned,
                "passed": check.passed,
                "message": message,
            }
            for check, message in zip(result.checks, messages, strict=True)
        ],
        "mistakes": [
            {"sentence": mistake.sentence, "hint": mistake.hint} for mistake in (*result.mistakes, *result.meanings)
        ],
        "ready_made": list(result.ready_made),
        "panels": [panel._asdict() for panel in panels(wrong)] if wrong else [],
    }


def _each_once(messages: list[str]) -> list[str]:
    """What an earlier check has said already is not said again."""
    return [
        "the same as above" if message and message in messages[:place] else message
        for place, message in enumerate(messages)
    ]


def _message(check: CheckResult) -> str:
    if check.follows:
        return "right for your own earlier functions; their mistake was marked there"
    return check.difference.message if check.difference else ""


def record_unchecked(exercise: Exercise, problem: str) -> ExerciseRecord:
    """The record of an exercise of which there is nothing to run."""
    return {
        "name": exercise.name,
        "points": exercise.points,
        "earned": 0.0,
        "passed": False,
        "problem": problem,
        "checks": [],
        "mistakes": [],
        "ready_made": [],
        "panels": [],
    }
