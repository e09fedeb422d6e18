"""Measures the similarity of two pieces of code by the shape of their syntax: runs of ten nodes that both have."""

from __future__ import annotations

import ast
import zlib
from collections.abc import Iterable, Iterator

_RUN = 10
# Fields of a node that say nothing of what it computes.
_NOT_SHAPE = frozenset({"annotation", "returns", "ctx", "decorator_list"})


def runs(nodes: Iterable[ast.AST]) -> frozenset[int]:
    """The runs of ten neighbouring nodes of some syntax trees, each as a number. Names and values do not count."""
    kinds = [kind for node in nodes for kind in _kinds(node)]
    return frozenset(
        zlib.crc32(" ".join(kinds[start : start + _RUN]).encode()) for start in range(len(kinds) - _RUN + 1)
    )


def _kinds(node: ast.AST) -> Iterator[str]:
    """The kinds of a tree's nodes in the order of the text."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # a docstring
    yield type(node).__name__
    for name, value in ast.iter_fields(node):
        if name not in _NOT_SHAPE:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _kinds(child)
