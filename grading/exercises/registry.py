"""The chapters and exercises that exist."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

import grading.exercises
from grading.errors import GradingError
from grading.judging.exercise import Chapter, Exercise
from grading.messages import Message


@cache
def chapters() -> dict[int, Chapter]:
    """Every chapter that has checks, by number.

    Each is a package in `grading/exercises` whose module `checks` defines `chapter`. A release has one chapter.
    """
    by_number = {}
    for package in pkgutil.iter_modules(grading.exercises.__path__):
        if package.ispkg:
            checks = importlib.import_module(f"grading.exercises.{package.name}.checks")
            by_number[checks.chapter.number] = checks.chapter
    return dict(sorted(by_number.items()))


def chapter(number: int) -> Chapter:
    """The chapter of that number.

    Raises:
        GradingError: no such chapter has checks here.
    """
    if number not in chapters():
        raise GradingError(
            f"there is no chapter {number} to check; there is {', '.join(map(str, chapters())) or 'none'}"
        )
    return chapters()[number]


def chosen(number: int | None) -> list[Chapter]:
    """The chapter of that number, or all if none is given.

    Raises:
        GradingError: no such chapter has checks here.
    """
    return [*chapters().values()] if number is None else [chapter(number)]


def find(name: str) -> tuple[Chapter, Exercise]:
    """The exercise of that name, with its chapter.

    Raises:
        GradingError: no exercise is called that.
    """
    for candidate in chapters().values():
        if name in candidate.exercises:
            return candidate, candidate.exercises[name]
    known = [exercise for candidate in chapters().values() for exercise in candidate.exercises]
    raise GradingError(
        Message(
            "no exercise is called {name}; the exercises here are {known}",
            name=repr(name),
            known=", ".join(known) or Message("none"),
        )
    )


def exercise_names() -> dict[int, list[str]]:
    """The names of each chapter's exercises, by its number."""
    return {number: list(entry.exercises) for number, entry in chapters().items()}
