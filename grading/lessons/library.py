"""Reads a module of the library by its syntax tree: its imports, its definitions, and the lines of answers in them.

The module is never run. Its source text stays as it is, with decorators, docstrings and comments.
"""

from __future__ import annotations

import ast
import json
import symtable
import textwrap
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from grading.errors import GradingError
from grading.storage.files import read_text

Function = ast.FunctionDef | ast.AsyncFunctionDef

# What nbgrader's ClearSolutions looks for.
BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"


@dataclass(frozen=True)
class Definition:
    """A top-level statement that binds names: a function, a class, a constant.

    Attributes:
        names: the names that it binds.
        first, last: its lines, counted from 1, with decorators and the comments that belong to it.
        node: its syntax tree.
    """

    names: tuple[str, ...]
    first: int
    last: int
    node: ast.stmt


@dataclass(frozen=True)
class Blank:
    """The lines of an answer in a module, `first` to `last`, and their replacement, if any."""

    first: int
    last: int
    replacement: str = ""


class LibraryModule:
    """One module's source.

    Args:
        path: the file.
        name: the dotted name, such as "course.attention".
        source: the text to use instead of the file's.
    """

    def __init__(self, path: Path, name: str, source: str | None = None) -> None:
        self.path = path
        self.name = name
        self.source = read_text(path) if source is None else source
        try:
            self.tree = ast.parse(self.source)
        except SyntaxError as error:
            raise GradingError(f"{path}, line {error.lineno}: {error.msg}; a module must be valid Python") from error

    @cached_property
    def lines(self) -> list[str]:
        return self.source.removesuffix("\n").split("\n")  # `splitlines` also splits at form feeds; Python does not

    @cached_property
    def definitions(self) -> list[Definition]:
        """All definitions, in the module's order."""
        definitions = []
        for node in self.tree.body:
            names = _bound_names(self._text(self._first_line(node), _end(node)))
            if names and not _is_import(node):
                definitions.append(Definition(names, self._first_line(node), self._last_line(node), node))
        return definitions

    @cached_property
    def imports(self) -> str:
        """The module's import statements, in their groups."""
        text, end = "", 0
        for node in filter(_is_import, self.tree.body):
            gap = "\n\n" if node.lineno > end + 1 else "\n"
            text += gap + self._text(node.lineno, _end(node))
            end = _end(node)
        return text.strip()

    def find(self, name: str) -> Definition | None:
        """The definition that binds the name; of several, the last, as in Python."""
        return next((one for one in reversed(self.definitions) if name in one.names), None)

    def text(self, definition: Definition, blanks: Iterable[Blank] = ()) -> str:
        """A definition's source, with some answers replaced."""
        inside = [blank for blank in blanks if definition.first <= blank.first <= definition.last]
        return "\n".join(self._without(inside, definition.first, definition.last))

    def without(self, blanks: Iterable[Blank]) -> LibraryModule:
        """The module with some lines replaced or removed."""
        lines = self._without(blanks, 1, len(self.lines))
        return LibraryModule(self.path, self.name, "\n".join(lines) + "\n")

    def uses(self, definition: Definition) -> set[str]:
        """The names from outside that a definition refers to."""
        return global_names(self.text(definition)) - set(definition.names)

    def used_names(self) -> set[str]:
        """The names that the module refers to outside their own definitions."""
        calls = "\n".join(self._text(node.lineno, _end(node)) for node in self.tree.body if isinstance(node, ast.Expr))
        return global_names(calls).union(*(self.uses(definition) for definition in self.definitions))

    def needs(self, wanted: Sequence[Definition], stop_at: Iterable[str]) -> list[Definition]:
        """The other definitions that the wanted ones need, directly or through others, in the module's order.

        Args:
            stop_at: names that are not followed.
        """
        unread = list(wanted)
        seen = list(unread)
        while unread:
            for name in self.uses(unread.pop()).difference(stop_at):
                other = self.find(name)
                if other and other not in seen:
                    seen.append(other)
                    unread.append(other)
        return sorted((one for one in seen if one not in wanted), key=lambda one: one.first)

    def blank(self, function: Function, message: str) -> Blank:
        """Replace a function's body, except its docstring, by an error."""
        kept, first, indent = self._body(function)
        replacement = f"{kept}\n{indent}raise NotImplementedError({json.dumps(message)})"
        return Blank(first, self._last_line(function), replacement)

    def marked(self, function: Function, before: str = "", after: str = "") -> Blank:
        """A function's body between nbgrader's marks, which enclose the answer.

        Args:
            before: code of the answer that is put at the start of the body.
            after: code that follows the body, with the function's indentation.
        """
        kept, first, indent = self._body(function)
        last = self._last_line(function)
        beside = self.lines[first - 1][len(kept) :].strip()
        body = [
            *([textwrap.indent(before, indent), ""] if before else []),
            *([indent + beside] if beside else []),
            *self.lines[first:last],
            *(["", after] if after else []),
        ]
        return Blank(first, last, "\n".join([kept, f"{indent}{BEGIN}", *body, f"{indent}{END}"]))

    def _body(self, function: Function) -> tuple[str, int, str]:
        """The kept part of the line before a body, that line's number, and the body's indentation."""
        last_kept, column = _signature_end(self.lines, function)
        docstring = function.body[0]
        if ast.get_docstring(function, clean=False) is not None and docstring.lineno > last_kept:
            last_kept, column = _end(docstring), self._column(docstring)
        line = self.lines[last_kept - 1]
        if not line[column:].strip() or line[column:].lstrip().startswith("#"):
            column = len(line)
        return line[:column], last_kept, " " * (function.col_offset + 4)

    def removal(self, node: ast.stmt) -> Blank:
        """Remove a definition with its decorators, and the blank lines below it."""
        last = self._last_line(node)
        while last < len(self.lines) and not self.lines[last].strip():
            last += 1
        return Blank(self._first_line(node), last)

    def _column(self, node: ast.stmt) -> int:
        """The column after a node, in characters; the syntax tree counts in bytes."""
        return len(self.lines[_end(node) - 1].encode()[: node.end_col_offset].decode())

    def _without(self, blanks: Iterable[Blank], first: int, last: int) -> Iterator[str]:
        number = first
        for blank in sorted(blanks, key=lambda blank: blank.first):
            yield from self.lines[number - 1 : blank.first - 1]
            if blank.replacement:
                yield blank.replacement
            number = blank.last + 1
        yield from self.lines[number - 1 : last]

    def statement(self, node: ast.stmt) -> str:
        """A statement's source, with its decorators and the comments that belong to it."""
        return self._text(self._first_line(node), self._last_line(node))

    def _text(self, first: int, last: int) -> str:
        return "\n".join(self.lines[first - 1 : last])

    def _first_line(self, node: ast.stmt) -> int:
        """The first line of a statement, with its decorators and the comments right above."""
        decorators = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
        while first > 1 and self.lines[first - 2].startswith("#"):
            first -= 1
        return first

    def _last_line(self, node: ast.stmt) -> int:
        """The last line of a statement, with the comments below it that are indented like its body."""
        last = number = _end(node)
        for line in self.lines[last:]:
            number += 1
            indent = len(line) - len(line.lstrip())
            if line.strip() and not (line.lstrip().startswith("#") and indent > node.col_offset):
                break
            if line.strip():
                last = number
        return last


def global_names(source: str) -> set[str]:
    """The names that a piece of code reads from its module."""

    def read(table: symtable.SymbolTable) -> Iterator[str]:
        for symbol in table.get_symbols():
            if symbol.is_referenced() and (symbol.is_global() or table.get_type() == "module"):
                yield symbol.get_name()
        for child in table.get_children():
            yield from read(child)

    return set(read(symtable.symtable(source, "library", "exec")))


def _bound_names(source: str) -> tuple[str, ...]:
    symbols = symtable.symtable(source, "library", "exec").get_symbols()
    return tuple(symbol.get_name() for symbol in symbols if symbol.is_assigned() or symbol.is_imported())


def _is_import(node: ast.stmt) -> bool:
    """An import, or `if TYPE_CHECKING:` and `try:` around imports."""
    if isinstance(node, ast.If | ast.Try):
        return all(_is_import(child) or isinstance(child, ast.Pass) for child in node.body)
    return isinstance(node, ast.Import | ast.ImportFrom)


def _end(node: ast.stmt | ast.expr) -> int:
    assert node.end_lineno is not None
    return node.end_lineno


def _signature_end(lines: list[str], function: Function) -> tuple[int, int]:
    """The line and column after the colon that ends a function's signature."""
    depth = 0
    rest = iter([f"{line}\n" for line in lines[function.lineno - 1 :]])
    for token in tokenize.generate_tokens(lambda: next(rest, "")):
        depth += (token.string in "([{") - (token.string in ")]}") if token.type == tokenize.OP else 0
        if token.string == ":" and depth == 0:
            break
    return function.lineno - 1 + token.end[0], token.end[1]


def docstrings(source: str) -> list[slice]:
    """Where the docstrings of a piece of code are: the text between the quotes of each, in order."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, Function | ast.ClassDef) and ast.get_docstring(node, clean=False) is not None:
            place = place_of(node.body[0], source)
            if source[place][:3] == source[place][-3:] == '"""':
                found.append(slice(place.start + 3, place.stop - 3))
    return sorted(found, key=lambda one: one.start)


def place_of(node: ast.stmt | ast.expr, source: str) -> slice:
    """Where a node of a piece of code is, in characters; the syntax tree counts columns in bytes."""
    lines = source.split("\n")

    def place(line: int, column: int) -> int:
        return sum(len(earlier) + 1 for earlier in lines[: line - 1]) + len(lines[line - 1].encode()[:column].decode())

    return slice(place(node.lineno, node.col_offset), place(_end(node), node.end_col_offset or 0))
