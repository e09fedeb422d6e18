"""What a command reads from its standard input: `< texts.txt`, a pipe, or what is typed."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from course.errors import CourseError


def typed_lines() -> Iterator[str]:
    """The lines of the standard input, without their ends.

    Raises:
        CourseError: what comes in is no text in the encoding of this terminal.
    """
    try:
        for line in sys.stdin:
            yield line.rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise CourseError(
            f"what comes in is no text in {error.encoding} ({error.reason}). Convert the file to it first."
        ) from error
