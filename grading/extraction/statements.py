"""Splits a notebook's code into statements with their names, and turns chosen ones back into source text."""

from __future__ import annotations

import ast
import re
from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, field
from itertools import accumulate

from grading.extraction.attempts import Level, alias_of, level_of, method_of
from grading.extraction.cells import Parsed
from grading.extraction.scopes import Names, names_of
from grading.messages import Message
from grading.submission import Cell

# Top-level blocks whose statements are chosen one by one. Loops are chosen as a whole.
_Block = ast.If | ast.Try | ast.TryStar | ast.With | ast.AsyncWith | ast.Match
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_IS_MAIN = re.compile(r"__name__\s*==\s*(['\"])__main__\1")


@dataclass(eq=False)
class Statement:
    """One statement, or the head of an `if`, `try` or `with`.

    Attributes:
        span: its place in the block's text; empty for a head, which is the text around its statements.
        heads: the heads of the blocks that contain it.
        levels: for each name that it binds, how much of a definition it is.
        alias: the name on its right, in `name = other`.
        methods: for a class, expressions for the definitions in it.
        counts: for a loop, the names to which it gives one value after the other.
        hides: whether it is `from numpy import *`, whose names may hide Python's own.
        is_condition: for a head or a loop, whether the statements in it may not run.
        checks: the exercise's name, in `check(name)`.
        order: its place among all statements of the notebook.
    """

    cell: Cell
    names: Names
    block: Block
    span: tuple[int, int]
    heads: tuple[Statement, ...] = ()
    levels: dict[str, Level] = field(default_factory=dict)
    alias: str | None = None
    methods: dict[str, str] = field(default_factory=dict)
    is_import: bool = False
    is_star_import: bool = False
    hides: bool = False
    counts: frozenset[str] = frozenset()
    is_condition: bool = False
    checks: str | None = None
    order: float = 0


@dataclass(eq=False)
class Block:
    """The text of a top-level statement, and the statements in it."""

    text: str
    statements: list[Statement] = field(default_factory=list)

    def rendered(self, chosen: Collection[Statement]) -> str:
        """The text with only the chosen statements; `pass` replaces the others."""
        pieces: list[str] = []
        position = 0
        for statement in self.statements:
            start, end = statement.span
            if start == end:
                continue
            kept = self.text[start:end]
            pieces.append(_head_text(self.text[position:start]))
            pieces.append(kept if statement in chosen else "pass" + "\n" * kept.count("\n"))
            position = end
        return "".join([*pieces, _head_text(self.text[position:])])


class _Lines:
    """Converts the syntax tree's positions, which are lines and UTF-8 bytes, to positions in the text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._lines = text.split("\n")
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        # For lines that are not ASCII, the number of characters before each byte. One line may contain all statements.
        self._characters: dict[int, list[int]] = {}

    def place(self, line: int, column: int) -> int:
        if not self._lines[line - 1].isascii():
            if line not in self._characters:
                begins = (byte & 0xC0 != 0x80 for byte in self._lines[line - 1].encode())
                self._characters[line] = list(accumulate(begins, initial=0))
            column = self._characters[line][column]
        return self._starts[line - 1] + column

    def span(self, node: ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        start = self.place(node.lineno, node.col_offset)
        decorators = getattr(node, "decorator_list", [])
        if decorators:
            first = self.place(decorators[0].lineno, decorators[0].col_offset)
            start = self.text.rindex("@", 0, first)
        return start, self.place(node.end_lineno, node.end_col_offset)


def read_statements(
    parsed: list[Parsed], written: Collection[str], exercises: Collection[str]
) -> tuple[list[Statement], list[str]]:
    """The statements that can matter to a definition, in the notebook's order, and notes on what was left out.

    Args:
        parsed: the notebook's code.
        written: modules that the notebook itself writes; definitions imported from them are in the notebook.
        exercises: the names to look for inside classes.
    """
    statements: list[Statement] = []
    notes: list[str] = []
    of_module = _OfModules(parsed, written)
    for text in parsed:
        lines = _Lines(text.text)
        for node in text.tree.body:
            place = text.place(node.lineno)
            try:
                replacement = _replacement(node, written)
                if replacement is None:
                    replacement = of_module.replacement(node)
                if replacement is None:
                    found = _split(node, lines, text, exercises)
                else:
                    found = [_plain(inner, ast.unparse(inner), place[0], exercises) for inner in replacement]
            except RecursionError:
                notes.append(
                    Message(
                        "cell {cell}, line {line} was left out: it is nested too deeply",
                        cell=place[0].index,
                        line=place[1],
                    )
                )
                continue
            if any(each.names.binds or each.names.extends or each.is_star_import or each.checks for each in found):
                statements += found
    for order, statement in enumerate(statements):
        statement.order = order
    return statements, notes


def _replacement(node: ast.stmt, written: Collection[str]) -> list[ast.stmt] | None:
    """The replacement of an import that cannot run in the sandbox; None for every other statement."""
    if isinstance(node, ast.ImportFrom) and node.level == 0:
        module = node.module or ""
        if module in written:
            return [
                ast.parse(f"{alias.asname} = {alias.name}").body[0]
                for alias in node.names
                if alias.asname not in (None, alias.name)
            ]
        # The definitions run without the grader, and a __future__ import has to come first in a module.
        return [] if module.partition(".")[0] in {"grading", "__future__"} else None
    if isinstance(node, ast.Import):
        kept = [alias for alias in node.names if alias.name.partition(".")[0] not in {"grading", *written}]
        if len(kept) < len(node.names):
            return [ast.Import(kept)] if kept else []
    return None


class _OfModules(ast.NodeTransformer):
    """Writes `causal_mask` for `my_answers.causal_mask`, because definitions of such a module are in the notebook."""

    def __init__(self, parsed: list[Parsed], written: Collection[str]) -> None:
        imports = (node for text in parsed for node in text.tree.body if written and isinstance(node, ast.Import))
        aliases = (alias for node in imports for alias in node.names if alias.name in written)
        self._names = {alias.asname or alias.name for alias in aliases}

    def replacement(self, node: ast.stmt) -> list[ast.stmt] | None:
        """The statement that replaces one which refers to such a module; None for every other."""
        uses = self._names and any(isinstance(part, ast.Name) and part.id in self._names for part in ast.walk(node))
        if not uses:
            return None
        changed: ast.stmt = self.visit(node)
        match changed:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=same)) if name == same:
                return []
        return [ast.copy_location(changed, node)]

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id in self._names:
            return ast.copy_location(ast.Name(node.attr, node.ctx), node)
        return node


def _plain(node: ast.stmt, text: str, cell: Cell, exercises: Collection[str]) -> Statement:
    block = Block(text)
    statement = _statement(node, block, (0, len(text)), cell, exercises)
    block.statements.append(statement)
    return statement


def _split(node: ast.stmt, lines: _Lines, parsed: Parsed, exercises: Collection[str]) -> list[Statement]:
    """A top-level statement, or the head of a block and the statements in it."""
    first, last = lines.span(node)
    block = Block(lines.text[first:last])
    waiting: list[tuple[ast.stmt, tuple[Statement, ...]]] = [(node, ())]
    while waiting:
        inner, heads = waiting.pop()
        start, end = lines.span(inner)
        cell, _ = parsed.place(inner.lineno)
        if isinstance(inner, _Block):
            expressions, bodies = _taken_apart(inner)
            head = Statement(cell, names_of(expressions), block, (start - first, start - first), heads)
            head.levels = dict.fromkeys(head.names.binds, Level.RESULT)
            head.is_condition = not isinstance(inner, ast.With | ast.AsyncWith)
            block.statements.append(head)
            waiting += [(child, (*heads, head)) for child in reversed(bodies)]
        else:
            statement = _statement(inner, block, (start - first, end - first), cell, exercises)
            statement.heads = heads
            block.statements.append(statement)
    return block.statements


def _statement(
    node: ast.stmt, block: Block, span: tuple[int, int], cell: Cell, exercises: Collection[str]
) -> Statement:
    names = names_of([node])
    return Statement(
        cell,
        names,
        block,
        span,
        levels={name: level_of(node, name) for name in names.binds},
        alias=alias_of(node),
        methods={name: found for name in exercises if (found := method_of(node, name)) is not None},
        is_import=isinstance(node, ast.Import | ast.ImportFrom),
        is_star_import=isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names),
        hides=_hides(node),
        counts=_counted(node) if isinstance(node, _LOOPS) else frozenset(),
        is_condition=isinstance(node, _LOOPS),
        checks=_checked(node),
    )


def _hides(node: ast.stmt) -> bool:
    match node:
        case ast.ImportFrom(module=str(module), names=[ast.alias(name="*")]):
            return module.partition(".")[0] in {"keras", "numpy", "tensorflow"}
    return False


def _counted(loop: ast.stmt) -> frozenset[str]:
    return names_of(part.target for part in ast.walk(loop) if isinstance(part, ast.For | ast.AsyncFor)).binds


def _checked(node: ast.stmt) -> str | None:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id="check"), args=[ast.Name(id=name)])):
            return name
    return None


def _taken_apart(block: _Block) -> tuple[list[ast.AST], list[ast.stmt]]:
    """A block's own expressions and patterns, and its statements."""
    expressions: list[ast.AST] = []
    bodies: list[ast.stmt] = []
    waiting: deque[ast.AST] = deque([block])
    while waiting:
        for child in ast.iter_child_nodes(waiting.popleft()):
            if isinstance(child, ast.stmt):
                bodies.append(child)
            elif isinstance(child, ast.match_case):
                waiting.append(child)
            elif isinstance(child, ast.ExceptHandler):
                waiting.append(child)
                if child.name:
                    expressions.append(ast.Name(child.name, ast.Store()))
            else:
                expressions.append(child)
    return expressions, sorted(bodies, key=lambda child: (child.lineno, child.col_offset))


def _head_text(text: str) -> str:
    """Replace tests for the main module by True: the notebook is one, and the sandbox's module is not."""
    return _IS_MAIN.sub("True", text)
