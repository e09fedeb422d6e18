"""Reads JSON of any size in one pass and builds only the requested values.

A notebook's outputs may take a hundred megabytes, be nested by an attacker, or be cut off. This reader skips values
without building them or recursing into them, and reports the place where the text is no longer valid.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_whole_string = re.compile(_STRING, re.DOTALL)
# An array or object without another one in it is skipped together with the text around it.
_FLAT = rb'(?:[^"\[\]{}]++|' + _STRING + rb")*+"
_to_bracket = re.compile(rb'(?:[^"\[\]{}]++|%b|\[%b\]|\{%b\})*+[\[\]{}]' % (_STRING, _FLAT, _FLAT), re.DOTALL)
_scalar = re.compile(rb"(?:-?\d[\d.eE+-]*+|true|false|null|NaN|-?Infinity)(?![^\s,\]}])")
# A superfluous or missing comma is the most common mistake in JSON edited by hand, so commas count as space.
_space = re.compile(rb"[\s,]*+")
_colon = re.compile(rb"\s*+:\s*+")

_LONGEST_KEY = 100  # bytes; all requested keys are shorter
_LONGEST_CONSTANT = 10
_LONGEST_WORD = 1_000


class Malformed(Exception):
    """The text is not JSON from here on.

    Attributes:
        truncated: whether the text simply ends.
    """

    def __init__(self, position: int, *, truncated: bool = False) -> None:
        super().__init__(f"at byte {position}")
        self.truncated = truncated


class JsonReader:
    """A position in JSON text, with methods that read or skip from there.

    Args:
        data: UTF-8.
        most_steps: how many tokens to match one by one before the text counts as hostile. Honest outputs of a hundred
            megabytes take a few thousand.

    Attributes:
        is_exhausted: whether no steps are left.
        has_stray_bytes: whether some bytes were not UTF-8, and were read as Windows-1252.
    """

    def __init__(self, data: bytes, most_steps: int = 5_000_000) -> None:
        self.data = data
        self.position = 0
        self.is_exhausted = False
        self.has_stray_bytes = False
        self._steps_left = most_steps

    def peek(self) -> bytes:
        """Return the first character of the next token."""
        self.position = self._match(_space).end()
        following = self.data[self.position : self.position + 1]
        if not following:
            raise Malformed(self.position, truncated=True)
        return following

    def members(self) -> Iterator[str]:
        """Step through an object: yield each key and stop before its value, which the caller may read."""
        self._expect(b"{")
        while self.peek() != b"}":
            key = self._match(_whole_string)
            self.position = key.end()
            self.position = self._match(_colon).end()
            yield from self._visit(self._text(key[0][1:-1][:_LONGEST_KEY]))
        self.position += 1

    def items(self) -> Iterator[None]:
        """Step through an array: stop before each item, which the caller may read."""
        self._expect(b"[")
        while self.peek() != b"]":
            yield from self._visit(None)
        self.position += 1

    def at(self, *path: str) -> Any:
        """Read the text, number or constant at a path of keys below this value; None if there is none."""
        if not path:
            return None if self.peek() in b"[{" else self.scalar(_LONGEST_WORD)
        found = None
        if self.peek() == b"{":
            for key in self.members():
                if key == path[0]:
                    found = self.at(*path[1:])
        return found

    def scalar(self, most_bytes: int) -> Any:
        """Read the text, number or constant here; None if it is longer than `most_bytes`."""
        self.peek()
        start = self.position
        self.skip()
        if self.position - start > most_bytes:
            return None
        try:
            return json.loads(self._text(self.data[start : self.position]), strict=False)
        except ValueError:
            raise Malformed(start) from None

    def lines(self, most_bytes: int) -> list[str] | None:
        """Read the text here, one string or an array of them; None if it is neither, or too long."""
        first = self.peek()
        if first == b'"':
            text = self.scalar(most_bytes)
            return None if text is None else [text]
        if first != b"[":
            return None
        start = self.position
        lines: list[str] = []
        for _ in self.items():
            if self.position - start > most_bytes:
                continue
            if self.peek() == b'"':
                lines.append(self.scalar(most_bytes))
        return lines if self.position - start <= most_bytes else None

    def skip(self) -> None:
        """Skip the value here."""
        first = self.peek()
        if first == b'"':
            self.position = self._match(_whole_string).end()
        elif first in b"[{":
            self.position += 1
            depth = 1
            while depth:
                self.position = self._match(_to_bracket).end()
                depth += 1 if self.data[self.position - 1] in b"[{" else -1
        else:
            self.position = self._match(_scalar).end()

    def _visit(self, key: Any) -> Iterator[Any]:
        self.peek()
        before = self.position
        yield key
        if self.position == before:
            self.skip()

    def _expect(self, character: bytes) -> None:
        if self.peek() != character:
            raise Malformed(self.position)
        self.position += 1

    def _match(self, pattern: re.Pattern[bytes]) -> re.Match[bytes]:
        self._steps_left -= 1
        if self._steps_left < 0:
            self.is_exhausted = True
            raise Malformed(self.position)
        match = pattern.match(self.data, self.position)
        if match is None:
            # Unclosed strings and brackets run to the end without a match, and a constant may be cut off there.
            rest = self.data[self.position : self.position + _LONGEST_CONSTANT]
            is_open = pattern is _to_bracket or rest[:1] == b'"' or len(rest) < _LONGEST_CONSTANT
            raise Malformed(self.position, truncated=is_open)
        return match

    def _text(self, raw: bytes) -> str:
        try:
            return raw.decode()
        except UnicodeDecodeError:
            self.has_stray_bytes = True
            return raw.decode("utf-8", "grading.windows")
