"""The errors that the commands show to their user as one clear line."""

from __future__ import annotations

import math
import shlex
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class CourseError(Exception):
    """An error that the user can fix; its text says what was given, what was wanted, and what to do.

    Args:
        problem: what was given, and what was wanted.
        advice: what to do, where only the user of a command can do it. It ends the text.
    """

    def __init__(self, problem: str = "", advice: str = "") -> None:
        super().__init__(f"{problem} {advice}" if advice else problem)
        self.problem = problem


class Stopped(CourseError):
    """A training run was asked to stop, and has saved all that it needs to resume."""


def how_to_install(extra: str) -> str:
    """Return a sentence that says how to install the packages of an extra.

    pip gets the folder, not the project's name, because the project is on no package index: anybody may publish under
    that name. The command works in a clone and in a student's bundle: both have pyproject.toml and the lock.

    Args:
        extra: its name in pyproject.toml, such as "parquet".
    """
    return how_to_install_package(f"-e '.[{extra}]'")


def how_to_install_package(name: str) -> str:
    """Return a sentence that says how to install a package, in the lock's version."""
    python = shlex.quote(sys.executable)
    return (
        "To install the missing packages, run this in the folder that contains pyproject.toml: "
        f"{python} -m pip install -c requirements.lock {name}"
    )


@contextmanager
def as_course_errors() -> Iterator[None]:
    """Turns a ValueError in this block, about an argument of a command, into an error that its user sees."""
    try:
        yield
    except ValueError as error:
        raise CourseError(str(error)) from error


def require_finite(losses: Iterable[float]) -> None:
    """Raises a CourseError if a loss of a finished training is NaN or infinite: what it made is of no use."""
    if not all(map(math.isfinite, losses)):
        raise CourseError("the loss is no longer finite. Try a smaller --learning-rate.")
