"""Finds the words in figures: literals of a lesson's code that a plot shows its reader, such as a title."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grading.lessons.blocks import has_words

# Arguments of the course's plots and of Matplotlib's methods; and methods whose first argument is such a text.
_ARGUMENTS = frozenset(("title", "x_label", "y_label", "xlabel", "ylabel", "label"))
_METHODS = frozenset(("set_title", "set_xlabel", "set_ylabel"))


def parsed(source: str) -> ast.Module:
    """A cell's syntax tree, which is empty if the cell is no Python because it has commands of IPython."""
    try:
        return ast.parse(source)
    except SyntaxError:
        return ast.Module([], [])


def words_in_figures(cell: ast.Module) -> list[tuple[ast.Constant, str]]:
    """The literals of a cell that are words in a figure, each with its text, in the order of the code.

    A text that the code puts together is none of them, and neither is one without words, such as "$p$".
    """
    calls = (node for node in ast.walk(cell) if isinstance(node, ast.Call))
    literals = [
        (shown, shown.value)
        for call in calls
        for shown in _shown(call)
        if isinstance(shown, ast.Constant) and isinstance(shown.value, str) and has_words(shown.value)
    ]
    return sorted(literals, key=lambda literal: (literal[0].lineno, literal[0].col_offset))


def _shown(call: ast.Call) -> Iterator[ast.expr]:
    """The arguments of a call that a plot would show."""
    yield from (keyword.value for keyword in call.keywords if keyword.arg in _ARGUMENTS)
    if isinstance(call.func, ast.Attribute) and call.func.attr in _METHODS:
        yield from call.args[:1]
