"""What a student wrote for one exercise, as a page shows it beside what was said of it."""

from __future__ import annotations

import ast
from collections.abc import Collection

from grading.definitions.cells import parse

_MOST_CHARACTERS = 12_000  # ten times the longest right solution


def own_code(source: str, others: Collection[str]) -> str:
    """A solution as it was cut out of a notebook, without its imports and the definitions of other exercises.

    Characters that cannot be seen, or that turn the order of others round, are shown as their escapes.

    Args:
        source: a module's text.
        others: the names of the other exercises.
    """
    tree = parse(source)
    if not isinstance(tree, ast.Module):
        return ""
    lines = source.split("\n")
    kept: list[str] = []
    end = 0
    for node in tree.body:
        text = "\n".join(lines[end : node.end_lineno])
        end = node.end_lineno or end
        if not isinstance(node, ast.Import | ast.ImportFrom) and getattr(node, "name", None) not in others:
            kept.append(text)
    text = "\n".join(kept).strip()
    more = len(text) - _MOST_CHARACTERS
    shown = "\n".join(map(_visible, text[:_MOST_CHARACTERS].rstrip().expandtabs(4).split("\n")))
    return f"{shown}\n... and {more:,} characters more" if more > 0 else shown


def _visible(line: str) -> str:
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in line)
