"""Puts new definitions into a module's text, in place of the old ones, and leaves the rest unchanged."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property

from grading.extraction.scopes import names_of


@dataclass
class _Piece:
    """The statements of a line or more, with the comments and blank lines before them; the last piece has none."""

    text: str
    nodes: list[ast.stmt]

    @property
    def is_import(self) -> bool:
        return bool(self.nodes) and all(isinstance(node, ast.Import | ast.ImportFrom) for node in self.nodes)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that it binds or changes, except by an import."""
        found = names_of(node for node in self.nodes if not isinstance(node, ast.Import | ast.ImportFrom))
        return found.binds | found.extends

    @property
    def code(self) -> list[str]:
        return [ast.dump(node) for node in self.nodes]


def merge(text: str, source: str) -> str:
    """A module's text with the definitions of `source`.

    They stay together and in their order, in the place of the first that they replace, or at the end. A statement that
    also defines other names stays above them. New imports come after the first imports.

    Raises:
        SyntaxError: one of the two texts is not valid Python.
    """
    pieces = _split(text)
    coming = [piece for piece in _split(source) if piece.nodes]
    group = [piece for piece in coming if not piece.is_import]
    for piece in group:
        piece.text = "\n\n\n" + piece.text.strip("\n")
    begin = next((at for at, piece in enumerate(pieces) if piece.is_import), 0)
    after_imports = next(at for at in range(begin, len(pieces)) if not pieces[at].is_import)
    known = {line for piece in pieces[begin:after_imports] for line in piece.code}
    imports = [node for piece in coming if piece.is_import for node in piece.nodes if ast.dump(node) not in known]
    head = [*pieces[:after_imports], *(_Piece("\n" + ast.unparse(node), [node]) for node in imports)]

    body = pieces[after_imports:]
    new = frozenset[str]().union(*(piece.names for piece in group))
    codes = [piece.code for piece in group]
    gone = {at for at, old in enumerate(body) if old.nodes and (old.code in codes or (old.names and old.names <= new))}
    partly = [at for at, old in enumerate(body) if at not in gone and old.names & new]
    place = max([min(gone, default=0 if partly else len(body)), *(at + 1 for at in partly)])
    above, below = (
        [old for at, old in enumerate(body) if at not in gone and (at < place) is side] for side in (True, False)
    )
    pieces = [*head, *above, *group, *below]
    return "".join(piece.text for piece in pieces).strip("\n") + "\n"


def _split(text: str) -> list[_Piece]:
    """The text's statements, each with the line break before it; joined, they give the text."""
    lines = text.removesuffix("\n").split("\n")  # as Python counts them; `splitlines` also ends lines at "\f"
    pieces: list[_Piece] = []
    position = 0
    for node in ast.parse(text).body:
        end = node.end_lineno or node.lineno
        if node.lineno <= position:  # it begins on the line on which the one before it ends
            pieces[-1].nodes.append(node)
            pieces[-1].text += "".join(f"\n{line}" for line in lines[position:end])
        else:
            pieces.append(_Piece("\n".join(["", *lines[position:end]]), [node]))
        position = end
    return [*pieces, _Piece("\n".join(["", *lines[position:]]), [])]
