"""Docstrings as Sphinx reads them. They are written for `help()` and for exercises, in text with code in backticks."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

_CODE = re.compile(r"(`[^`]*`)")
# Bars of an absolute value and the stars of **kwargs; to Sphinx, they would open a substitution and bold text.
_MARKS = re.compile(r"(?<!\\)(\||\*\*?(?=[a-z]))")


def escaped(line: str) -> str:
    """A line of a docstring in which marks stand for themselves, wherever they are neither code nor an example."""
    if line.lstrip().startswith(">>>"):
        return line
    return "".join(part if part[:1] == "`" else _MARKS.sub(r"\\\1", part) for part in _CODE.split(line))


def _escape(_app: Sphinx, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]) -> None:
    lines[:] = map(escaped, lines)


def _skip(_app: Sphinx, _what: str, name: str, member: Any, skipped: bool, _options: Any) -> bool | None:
    """Leaves out what a named tuple says of itself: its fields stand among the class's attributes."""
    return skipped or name == "__new__" or type(member).__name__ == "_tuplegetter" or None


def _list_results(_app: Sphinx, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]) -> None:
    """Makes a list, in place, of several results that each have a name and lines of their own."""
    start = next((number for number, line in enumerate(lines, 1) if line == "Returns:"), len(lines))
    end = next((number for number in range(start, len(lines)) if re.match(r"\S", lines[number])), len(lines))
    names = [number for number in range(start, end) if re.match(r" {4}\w+: ", lines[number])]
    if len(names) > 1:
        for number in range(start, end):
            lines[number] = ("    - " if number in names else "  ") + lines[number].removeprefix("    ")


def setup(app: Sphinx) -> dict[str, bool]:
    """Tells Sphinx of it. Napoleon reads the docstrings first, at 500: its own bold text is left alone."""
    app.connect("autodoc-skip-member", _skip)
    app.connect("autodoc-process-docstring", _escape, priority=400)
    app.connect("autodoc-process-docstring", _list_results, priority=401)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
