"""The code that a student wrote for one exercise, as a page shows it beside the findings."""

from __future__ import annotations

import ast
from collections.abc import Collection

from grading.extraction.cells import parse
from grading.untrusted import visible

_MOST_CHARACTERS = 12_000  # ten times the longest right solution


def own_code(source: str, others: Collection[str]) -> str:
    """A solution without its imports and the definitions of other exercises.

    Docstrings come from the lesson and are cut to their first line. Invisible characters, and those that reverse the
    order of others, are shown as escapes.

    Args:
        source: the text of the module that was cut out of a notebook.
        others: the names of the other exercises.
    """
    source = source.replace("\r\n", "\n").replace("\r", "\n")  # so that lines are counted as Python counts them
    tree = parse(source)
    if not isinstance(tree, ast.Module):
        return ""
    lines: list[str | None] = [*_without_docstrings(source.split("\n"), tree)]
    kept: list[str] = []
    end = 0
    for node in tree.body:
        text = "\n".join(line for line in lines[end : node.end_lineno] if line is not None)
        end = node.end_lineno or end
        if not isinstance(node, ast.Import | ast.ImportFrom) and getattr(node, "name", None) not in others:
            kept.append(text)
    text = "\n".join(kept).strip()
    more = len(text) - _MOST_CHARACTERS
    shown = "\n".join(map(visible, text[:_MOST_CHARACTERS].rstrip().expandtabs(4).split("\n")))
    return f"{shown}\n... and {more:,} characters more" if more > 0 else shown


def _without_docstrings(lines: list[str], tree: ast.Module) -> list[str | None]:
    """The lines of a module, with None for each continuation line of a docstring."""
    kept: list[str | None] = [*lines]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and ast.get_docstring(node):
            text = node.body[0]
            first, last = text.lineno, text.end_lineno or 0
            # Code behind the docstring, on its last line, would be cut with it.
            is_alone = len(lines[last - 1].encode()) == text.end_col_offset
            if first < last and is_alone and lines[last - 1].endswith('"""'):
                kept[first - 1] = f'{lines[first - 1]} ..."""'
                kept[first:last] = [None] * (last - first)
    return kept
