"""Code made by changing other code: a few words of it are replaced, or whole functions."""

from __future__ import annotations

import ast
import builtins
import difflib
import dis
import inspect
import io
import linecache
import math
import re
import textwrap
import tokenize
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import CodeType, ModuleType
from typing import Any, NamedTuple

from grading.errors import GradingError

# What stands in the code, and what stands there instead. Lines after the first are indented as in a file of their own;
# a text that begins with a new line is taken without it, and may be indented as a whole.
Change = Mapping[str, str]

_GONE = "<gone>"
_CODE = "the code"


def changed(source: str, change: Change, whose: str) -> str:
    """Replace some texts, each of which must occur exactly once.

    Raises:
        GradingError: a text does not, or two of them overlap; it names `whose` change that was.
    """
    return changed_sources({_CODE: source}, change, whose).get(_CODE, source)


def changed_sources(sources: Mapping[str, str], change: Change, whose: str, first: str = "") -> dict[str, str]:
    """Replace some texts, each of which must occur exactly once in all sources together.

    Args:
        sources: by their names.
        change: what is replaced.
        whose: change this is, for errors.
        first: the name of a source; a text that it has may occur in others, too, which are left as they are.

    Returns:
        The sources that have changed.

    Raises:
        GradingError: a text does not occur exactly once, or two of them overlap.
    """
    edits: dict[str, list[tuple[int, int, str]]] = {}
    for old, new in change.items():
        places = {name: list(_occurrences(source, _plain(old))) for name, source in sources.items()}
        if places.get(first):
            places = {first: places[first]}
        holders = [name for name, of_source in places.items() for _ in of_source]
        if len(holders) != 1:
            raise GradingError(f"{whose}: {_not_once(old, holders, sources)}")
        start, stop, indent = places[holders[0]][0]
        edits.setdefault(holders[0], []).append((start, stop, _indented(_plain(new), indent)))
    return {name: _edited(sources[name], sorted(places), whose) for name, places in edits.items()}


def _edited(source: str, edits: Iterable[tuple[int, int, str]], whose: str) -> str:
    end, parts = 0, []
    for start, stop, new in edits:
        if start < end:
            raise GradingError(f"{whose}: two changes overlap at {source[start:end]!r}")
        parts += [source[end:start], new]
        end = stop
    return "".join([*parts, source[end:]])


def _not_once(old: str, holders: Sequence[str], sources: Mapping[str, str]) -> str:
    """Say how often a text stands in which sources; where it stands nowhere, also which line is most like it."""
    often = f"{old!r} stands {len(holders)} times in {', '.join(dict.fromkeys(holders)) or _CODE}, and must stand once"
    if holders:
        return often
    lines = {line.strip(): name for name, source in sources.items() for line in source.splitlines()}
    near = difflib.get_close_matches(_plain(old).partition("\n")[0], lines, n=1, cutoff=0.3)
    return f"{often}; the nearest line of {lines[near[0]]} is {near[0]!r}" if near else often


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


def changed_code(module: ModuleType, name: str, change: Change, instead: str, whose: str) -> dict[str, str]:
    """Return the code of a definition of a module, and of its other definitions that change, by their names.

    A text that does not stand in the definition itself is looked for in the module's others. Comments and docstrings
    are left out, and the decorators of classes.

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
    definitions = {definition.name: definition for definition in _definitions(module)}
    of_module = {definition.name: definition.source for definition in definitions.values()}
    sources = {name: of_module[name], **changed_sources(of_module, change, whose, first=name)}
    instead = textwrap.dedent(instead)
    for node in ast.parse(instead).body:
        function = ast.get_source_segment(instead, node) or ""
        if not isinstance(node, ast.FunctionDef):
            raise GradingError(f"{whose}: only functions can stand instead of others; received {function!r}")
        if definitions[name].is_class and node.name not in definitions:
            sources[name] += "\n\n" + textwrap.indent(function, "    ")
        else:
            sources[node.name] = function
    return sources


def changed_definition(module: ModuleType, name: str, sources: Mapping[str, str], whose: str) -> Any:
    """Run a definition again, as students run theirs, in a copy of its module where some definitions have changed.

    Args:
        module: of the library.
        name: of the function or class.
        sources: what `changed_code` returned.
        whose: change this is, for errors and tracebacks.

    Raises:
        GradingError: a name in it is defined nowhere, and so the code would fail by that alone.
    """
    import keras
    import numpy as np

    usual = {"keras": keras, "ops": keras.ops, "np": np, "math": math}
    namespace = {**usual, **vars(module), "right": module, "__name__": "__main__"}
    asked: set[str] = set()
    for holder, source in sources.items():
        file = f"<{whose}: {holder}>"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        code = compile(source, file, "exec", dont_inherit=True)
        exec(code, namespace)
        asked |= set(_globals(code))
    if unknown := asked - namespace.keys() - vars(builtins).keys():
        raise GradingError(f"{whose}: {', '.join(sorted(unknown))} is not defined")
    return namespace[name]


def _globals(code: CodeType) -> Iterator[str]:
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _globals(constant)
