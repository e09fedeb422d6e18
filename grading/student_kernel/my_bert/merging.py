"""Puts new definitions into a module's text, each in place of the old one, and leaves the rest unchanged."""

from __future__ import annotations

import ast
from dataclasses import dataclass


@dataclass
class _Piece:
    """A statement with the comments and blank lines before it."""

    text: str
    node: ast.stmt | None

    @property
    def is_import(self) -> bool:
        return isinstance(self.node, ast.Import | ast.ImportFrom)

    @property
    def names(self) -> set[str]:
        """The names that it binds, except by an import."""
        match self.node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                return {name}
            case ast.Assign() | ast.AnnAssign():
                stored = (node for node in ast.walk(self.node) if isinstance(node, ast.Name))
                return {node.id for node in stored if isinstance(node.ctx, ast.Store)}
        return set()


def merge(text: str, source: str) -> str:
    """A module's text with the definitions of `source`.

    An existing definition is replaced in its place. A new one comes before those that follow it in `source`, or at the
    end. New imports come after the others.

    Raises:
        SyntaxError: one of the two texts is not valid Python.
    """
    pieces = _split(text)
    coming = [piece for piece in _split(source) if piece.node is not None]
    known = {ast.dump(piece.node) for piece in pieces if piece.node is not None}
    after_imports = max((place + 1 for place, piece in enumerate(pieces) if piece.is_import), default=0)
    for piece in reversed([piece for piece in coming if piece.is_import]):
        if piece.node is not None and ast.dump(piece.node) not in known:
            pieces.insert(after_imports, _Piece("\n" + ast.unparse(piece.node), piece.node))
    place = len(pieces)
    for piece in reversed([piece for piece in coming if not piece.is_import]):
        there = next((at for at, old in enumerate(pieces) if old.names & piece.names), None)
        piece.text = "\n\n\n" + piece.text.strip("\n")
        if there is None:
            pieces.insert(place, piece)
        else:
            pieces[there] = piece
            place = there
    return "".join(piece.text for piece in pieces).strip("\n") + "\n"


def _split(text: str) -> list[_Piece]:
    """The text's statements, each with the line break before it; joined, they give the text."""
    lines = text.splitlines()
    pieces, position = [], 0
    for node in ast.parse(text).body:
        end = node.end_lineno or node.lineno
        if end > position:  # of two statements on one line, the second goes with the first
            pieces.append(_Piece("\n".join(["", *lines[position:end]]), node))
            position = end
    return [*pieces, _Piece("\n".join(["", *lines[position:]]), None)]
