"""Code made by changing other code: a few words of it are replaced, or whole functions."""

from __future__ import annotations

import ast
import difflib
import inspect
import io
import linecache
import math
import re
import textwrap
import tokenize
from collections.abc import Iterator, Mapping
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

from grading.errors import GradingError

# What stands in the code, and what stands there instead. Lines after the first are indented as in a file of their own;
# a text that begins with a new line is taken without it, and may be indented as a whole.
Change = Mapping[str, str]

_GONE = "<gone>"


def changed(source: str, change: Change, whose: str) -> str:
    """Replace some texts, each of which must occur exactly once.

    Raises:
        GradingError: a text does not, or two of them overlap; it names `whose` change that was.
    """
    places = sorted((_place(source, _plain(old), whose), _plain(new)) for old, new in change.items())
    end, parts = 0, []
    for (start, stop, indent), new in places:
        if start < end:
            raise GradingError(f"{whose}: two changes overlap at {source[start:end]!r}")
        parts += [source[end:start], _indented(new, indent)]
        end = stop
    return "".join([*parts, source[end:]])


def _occurrences(source: str, text: str) -> Iterator[tuple[int, int, str]]:
    """Where a text stands, from and to, and how its first line is indented there."""
    first = text.partition("\n")[0]
    start = source.find(first)
    while start >= 0:
        line = source[source.rfind("\n", 0, start) + 1 : start]
        indent = line[: len(line) - len(line.lstrip())]
        whole = _indented(text, indent)
        if source.startswith(whole, start):
            yield start, start + len(whole), indent
        start = source.find(first, start + 1)


def _plain(text: str) -> str:
    return textwrap.dedent(text).strip("\n") if text.startswith("\n") else text


def _indented(text: str, indent: str) -> str:
    """All lines but the first, which stands where it stands."""
    return re.sub(r"\n(?=[^\n])", f"\n{indent}", text)


def _place(source: str, old: str, whose: str) -> tuple[int, int, str]:
    found = list(_occurrences(source, old))
    if len(found) == 1:
        return found[0]
    near = difflib.get_close_matches(old.partition("\n")[0], map(str.strip, source.splitlines()), n=1, cutoff=0.3)
    now = f"; the nearest line of the code is {near[0]!r}" if near and not found else ""
    raise GradingError(f"{whose}: {old!r} stands {len(found)} times in the code, and must stand once{now}")


class _Definition(NamedTuple):
    name: str
    source: str
    is_class: bool


def code_alone(source: str) -> str:
    """A module's source without comments and docstrings, which a change should neither meet nor depend on."""
    lines = source.split("\n")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column].rstrip() or _GONE
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) and len(node.body) > 1:
            first, last = node.body[0].lineno, node.body[0].end_lineno or 0
            lines[first - 1 : last] = [_GONE] * (last - first + 1)
    return "\n".join(line for line in lines if line != _GONE)


@cache
def _definitions(module: ModuleType) -> tuple[_Definition, ...]:
    """The functions and classes of a module. A class is without its decorators, which would register it with Keras."""
    source = code_alone(inspect.getsource(module))
    lines, found = source.split("\n"), []
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            is_class = isinstance(node, ast.ClassDef)
            first = node.lineno if is_class else min([node.lineno, *(one.lineno for one in node.decorator_list)])
            found.append(_Definition(node.name, "\n".join(lines[first - 1 : node.end_lineno]), is_class))
    return tuple(found)


def changed_definition(module: ModuleType, name: str, change: Change, instead: str, whose: str) -> Any:
    """Run a definition of a module again, with a change in it, as students run theirs.

    A text that does not stand in the definition itself is looked for in the module's others, of which the changed
    definition then uses the changed ones.

    Args:
        module: of the library.
        name: of the function or class.
        change: what is replaced.
        instead: the source of functions that take the place of those of the same name. Of a class they are methods,
            unless the module has a function of that name. They can call the module by the name `right`.
        whose: change this is, for errors.

    Raises:
        GradingError: a text to be replaced does not stand there exactly once.
    """
    import keras
    import numpy as np

    definitions = {one.name: one for one in _definitions(module)}
    edits: dict[str, dict[str, str]] = {name: {}}
    for old, new in change.items():
        holders = [other for other, one in definitions.items() if any(_occurrences(one.source, _plain(old)))]
        holder = holders[0] if len(holders) == 1 and name not in holders else name
        edits.setdefault(holder, {})[old] = new
    sources = {holder: changed(definitions[holder].source, edit, whose) for holder, edit in edits.items()}
    instead = textwrap.dedent(instead)
    for node in ast.parse(instead).body:
        function = ast.get_source_segment(instead, node) or ""
        if not isinstance(node, ast.FunctionDef):
            raise GradingError(f"{whose}: only functions can stand instead of others; received {function!r}")
        if definitions[name].is_class and node.name not in definitions:
            sources[name] += "\n\n" + textwrap.indent(function, "    ")
        else:
            sources[node.name] = function
    usual = {"keras": keras, "ops": keras.ops, "np": np, "math": math}
    namespace = {**usual, **vars(module), "right": module, "__name__": "__main__"}
    for holder, source in sources.items():
        file = f"<{whose}: {holder}>"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        exec(compile(source, file, "exec", dont_inherit=True), namespace)
    return namespace[name]
