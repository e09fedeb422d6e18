"""Read a command's standard input: `< texts.txt`, a pipe, or typed lines."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from course.errors import CourseError


def typed_lines() -> Iterator[str]:
    """Yield the lines of the standard input, without line ends.

    Raises:
        CourseError: the input is not text in the encoding of this terminal.
    """
    try:
        for line in sys.stdin:
            yield line.rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise CourseError(
            f"the input is not text in {error.encoding} ({error.reason}). Convert the file to it first."
        ) from error


def given_texts(texts: Sequence[str] | None) -> list[str]:
    """Return the texts of the command line, or else the lines of the standard input, without empty ones.

    Raises:
        CourseError: there is no text, or the input is not text in the encoding of this terminal.
    """
    given = [text for text in texts or typed_lines() if text.strip()]
    if not given:
        raise CourseError("there is no text. Give texts, in quotes, or a file with one on each line: < texts.txt")
    return given
