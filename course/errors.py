"""The error that a user of the commands is shown as one clear line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class CourseError(Exception):
    """Something that the person at the keyboard can mend; its text says what was given, wanted, and what to do."""


class Stopped(CourseError):
    """A training was asked to stop, and has saved all that it needs to go on."""


@contextmanager
def as_course_errors() -> Iterator[None]:
    """What a command was given is taken up in this block; where it is out of range, its user is told."""
    try:
        yield
    except ValueError as error:
        raise CourseError(str(error)) from error
