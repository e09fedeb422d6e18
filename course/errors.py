"""The error that a user of the commands is shown as one clear line."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager


class CourseError(Exception):
    """Something that the person at the keyboard can mend; its text says what was given, wanted, and what to do."""


class Stopped(CourseError):
    """A training was asked to stop, and has saved all that it needs to go on."""


def how_to_install(extra: str) -> str:
    """Return a sentence that says how to install the packages of an extra.

    pip gets the folder and not the project's name, because the project is on no package index: anybody may publish
    under that name. A clone and a student's bundle both hold pyproject.toml and the lock, so the command fits both.

    Args:
        extra: its name in pyproject.toml, such as "parquet".
    """
    python = shlex.quote(sys.executable)
    return (
        "To install what is missing, run this in the folder that holds pyproject.toml: "
        f"{python} -m pip install -c requirements.lock -e '.[{extra}]'"
    )


@contextmanager
def as_course_errors() -> Iterator[None]:
    """What a command was given is taken up in this block; where it is out of range, its user is told."""
    try:
        yield
    except ValueError as error:
        raise CourseError(str(error)) from error
