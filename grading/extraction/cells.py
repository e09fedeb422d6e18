"""Parses a notebook's cells. Of a cell that is not valid Python, only the parts that do not parse are lost."""

from __future__ import annotations

import ast
import re
import threading
import warnings
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from grading.extraction.magics import logical_lines, without_magics
from grading.messages import Message
from grading.submission import Cell

# A solution has a few thousand characters. A syntax tree takes up to a thousand times the memory of its text.
MOST_CELL_CHARACTERS = 200_000
MOST_CHARACTERS = 1_000_000
_MOST_RESTARTS = 50
_MOST_PARSED_AGAIN = 500_000  # characters of one cell, piece by piece
_MOST_JOINS = 50

_CONTINUES = re.compile(r"(?:else|elif|except|finally)\b|[ \t)\]}#]|$")
_BEGINS = re.compile(r"^(?:@|def\s|class\s|async\s|import\s|from\s)", re.MULTILINE)
_NAMES = re.compile(r"^(?:(?:async\s+)?def|class)\s+(\w+)|^(\w+)[ \t]*(?::[^=\n]+)?=", re.MULTILINE)

# The student's own kernel warns about invalid escapes and comparisons; the grader need not.
_FILE = "<submission>"
# CPython 3.11 counts the depth of nested trees for all threads together, and fails if two make trees at once.
# Other code that makes trees at the same time, such as tracing a compiled function, holds this lock, too.
PARSING = threading.RLock()
for _category in (SyntaxWarning, DeprecationWarning):
    warnings.filterwarnings("ignore", category=_category, module=re.escape(_FILE))


@dataclass(frozen=True)
class Parsed:
    """Text that parses, and its cells."""

    text: str
    tree: ast.Module
    cells: tuple[tuple[int, Cell], ...]  # (the text's first line in that cell, counted from 0, the cell)

    def place(self, line: int) -> tuple[Cell, int]:
        """The cell of a line of the text, and its number in that cell; both lines counted from 1."""
        start, cell = next((start, cell) for start, cell in reversed(self.cells) if line > start)
        return cell, line - start


@dataclass(frozen=True)
class Broken:
    """Text that does not parse.

    Attributes:
        names: the names that it would have defined.
    """

    cell: Cell
    line: int
    message: str
    names: frozenset[str]


@dataclass
class _Unit:
    """The text of a cell, or of several if a definition has been split between them."""

    text: str
    cells: list[tuple[int, Cell]]
    tree: ast.Module | None


def parse_cells(cells: Iterable[Cell], ids: Collection[str]) -> tuple[list[Parsed], list[Broken], list[str]]:
    """Parses code cells, in the notebook's order.

    Args:
        cells: the cells to read as code.
        ids: the cells to read first if the notebook has more text than the limit.

    Returns:
        The parsed texts, the broken ones, and notes on cells that were left out.
    """
    chosen, notes = _within_limits(list(cells), ids)
    units: list[_Unit] = []
    joins_left = _MOST_JOINS
    for cell in chosen:
        tree = parse(cell.source)
        text = cell.source if isinstance(tree, ast.Module) else without_magics(cell.source)
        if not isinstance(tree, ast.Module):
            tree = parse(text)
        if not isinstance(tree, ast.Module) and units and joins_left:
            joins_left -= 1
            if _join(units[-1], text, cell):
                continue
        if not isinstance(tree, ast.Module):
            text = _without_common_indent(text)
            tree = parse(text)
        units.append(_Unit(text, [(0, cell)], tree if isinstance(tree, ast.Module) else None))

    parsed: list[Parsed] = []
    broken: list[Broken] = []
    for unit in units:
        if unit.tree is not None:
            parsed.append(Parsed(unit.text, unit.tree, tuple(unit.cells)))
        else:
            _salvage(unit, parsed, broken)
    return parsed, broken, notes


def parse(text: str) -> ast.Module | SyntaxError:
    """The text's syntax tree, or the error; never raises."""
    try:
        with PARSING:
            return ast.parse(text, _FILE)
    except SyntaxError as error:
        return error
    except (RecursionError, MemoryError):
        return SyntaxError("it is nested too deeply")
    except ValueError as error:
        return SyntaxError(str(error))


def _within_limits(cells: list[Cell], ids: Collection[str]) -> tuple[list[Cell], list[str]]:
    notes: list[str] = []
    left = MOST_CHARACTERS
    chosen: list[Cell] = []
    too_many = 0
    for cell in sorted(cells, key=lambda cell: (cell.id not in ids, cell.index)):
        if len(cell.source) > MOST_CELL_CHARACTERS:
            notes.append(
                Message(
                    "cell {cell} was left out: it has {characters} characters; at most {most} are read as code",
                    cell=cell.index,
                    characters=f"{len(cell.source):,}",
                    most=f"{MOST_CELL_CHARACTERS:,}",
                )
            )
        elif len(cell.source) > left:
            too_many += 1
        else:
            left -= len(cell.source)
            chosen.append(cell)
    if too_many:
        notes.append(
            Message(
                "{count} cells were left out: a notebook's code is read up to {most} characters",
                plural="{count} cells were left out: a notebook's code is read up to {most} characters",
                count=too_many,
                most=f"{MOST_CHARACTERS:,}",
            )
        )
    return sorted(chosen, key=lambda cell: cell.index), notes


def _join(unit: _Unit, text: str, cell: Cell) -> bool:
    """Join the text to the unit before it if it is the rest of a split definition; return whether it is."""
    first_line = next((line for line in text.splitlines() if line.strip()), "")
    if unit.tree is not None and not first_line[:1].isspace():
        return False
    joined = f"{unit.text}\n{text}"
    tree = parse(joined) if len(joined) <= MOST_CELL_CHARACTERS else None
    if not isinstance(tree, ast.Module):
        return False
    unit.cells.append((unit.text.count("\n") + 1, cell))
    unit.text, unit.tree = joined, tree
    return True


def _without_common_indent(text: str) -> str:
    """Without the first line's indentation, which IPython takes away as well."""
    first_line = next((line for line in text.split("\n") if line.strip()), "")
    indent = first_line[: len(first_line) - len(first_line.lstrip(" \t"))]
    return "\n".join(line.removeprefix(indent) for line in text.split("\n")) if indent else text


def _salvage(unit: _Unit, parsed: list[Parsed], broken: list[Broken]) -> None:
    """Parse a broken unit statement by statement."""
    text = unit.text
    start, line, restarts, tried = 0, 0, 0, 0
    while start < len(text):
        end = _end_of_statement(text, start)
        piece = text[start:end]
        tree = parse(piece)
        tried += len(piece)
        cells = tuple((first - line, cell) for first, cell in unit.cells)
        if isinstance(tree, ast.Module):
            if tree.body:
                parsed.append(Parsed(piece, tree, cells))
        else:
            broken.append(_broken(piece, tree, cells))
            restart = _BEGINS.search(text, start + 1, end)
            if restart is not None and restarts < _MOST_RESTARTS and tried < _MOST_PARSED_AGAIN:
                restarts += 1
                end = restart.start()
        line += text.count("\n", start, end)
        start = end


def _end_of_statement(text: str, start: int) -> int:
    """The end of the top-level statement that begins at `start`, just before the next one's line."""
    is_decorated = False
    is_first = True
    # Blank lines, comments and decorators belong to the statement after them.
    for begin, end in logical_lines(text, start):
        head = text[begin : min(end, begin + 80)]
        if not is_first and not is_decorated and not _CONTINUES.match(head):
            return begin
        if head.strip() and not head.startswith("#"):
            is_first = False
            is_decorated = head.startswith("@")
    return len(text)


def _broken(piece: str, error: SyntaxError, cells: tuple[tuple[int, Cell], ...]) -> Broken:
    names = frozenset(name for pair in _NAMES.findall(piece) for name in pair if name)
    place = Parsed(piece, ast.Module([], []), cells).place(max(error.lineno or 1, 1))
    return Broken(*place, (error.msg or "invalid syntax")[:200], names)
