"""Prepares docstrings for Sphinx. They are written for `help()` and exercises: plain text with code in backticks."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

_CODE = re.compile(r"(`[^`]*`)")
# Bars of an absolute value and the stars of **kwargs, which Sphinx would read as a substitution and bold text.
_MARKS = re.compile(r"(?<!\\)(\||\*\*?(?=[a-z]))")


def escaped(line: str) -> str:
    """A line of a docstring with its marks escaped, except in code and examples."""
    if line.lstrip().startswith(">>>"):
        return line
    return "".join(part if part[:1] == "`" else _MARKS.sub(r"\\\1", part) for part in _CODE.split(line))


def _escape(_app: Sphinx, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]) -> None:
    lines[:] = map(escaped, lines)


def _skip(_app: Sphinx, _what: str, name: str, member: Any, skipped: bool, _options: Any) -> bool | None:
    """Skips the generated members of a named tuple: its fields are listed among the class's attributes."""
    return skipped or name == "__new__" or type(member).__name__ == "_tuplegetter" or None


def _list_results(_app: Sphinx, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]) -> None:
    """Turns several named results under "Returns:" into a list, in place."""
    start = next((number for number, line in enumerate(lines, 1) if line == "Returns:"), len(lines))
    end = next((number for number in range(start, len(lines)) if re.match(r"\S", lines[number])), len(lines))
    names = [number for number in range(start, end) if re.match(r" {4}\w+: ", lines[number])]
    if len(names) > 1:
        for number in range(start, end):
            lines[number] = ("    - " if number in names else "  ") + lines[number].removeprefix("    ")


def setup(app: Sphinx) -> dict[str, bool]:
    """Registers the extension with Sphinx. It runs before Napoleon (priority 500), whose bold text stays as it is."""
    app.connect("autodoc-skip-member", _skip)
    app.connect("autodoc-process-docstring", _escape, priority=400)
    app.connect("autodoc-process-docstring", _list_results, priority=401)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
