"""Which mutants are known mistakes: both change the reference to the same code."""

from __future__ import annotations

import ast

from grading.judging.exercise import Mistake
from grading.lessons.answers import Teaching
from grading.lessons.library import Function
from grading.mutants.making import Mutant, with_definitions


class KnownMistakes:
    """The known mistakes of an exercise, found by a mutant's source.

    Args:
        teaching: the lesson's answers, and their module.
        mistakes: of the exercise, as the library's own code with a change.
    """

    def __init__(self, teaching: Teaching, mistakes: list[Mistake]) -> None:
        self._known = {_source(teaching, mistake): mistake for mistake in reversed(mistakes) if mistake.code}

    def named(self, mutant: Mutant) -> Mistake | None:
        """The mistake whose code is the mutant's, comments and line breaks aside; the first if there are several."""
        return self._known.get(mutant.source)


def _source(teaching: Teaching, mistake: Mistake) -> str:
    """The module with the mistake in it, as a mutant would have it."""
    assert mistake.code
    changed = {}
    of_module = {name: definition for definition in teaching.module.definitions for name in definition.names}
    for name, source in mistake.code().items():
        if name in of_module:
            reference = of_module[name].node
            (node,) = ast.parse(source).body
            after = ast.unparse(_dressed(node, reference))
            if after != ast.unparse(reference):
                changed[of_module[name]] = after
    return with_definitions(teaching, changed)


def _dressed(node: ast.stmt, reference: ast.stmt) -> ast.stmt:
    """A definition with what changes leave out: the reference's docstrings, and its decorators if it is a class."""
    if isinstance(node, ast.ClassDef) and isinstance(reference, ast.ClassDef):
        node.decorator_list = reference.decorator_list
        # A method that is written twice is the second one, in the first one's place.
        node.body = list({getattr(one, "name", place): one for place, one in enumerate(node.body)}.values())
        theirs = {one.name: one for one in reference.body if isinstance(one, Function)}
        for one in node.body:
            if isinstance(one, Function) and one.name in theirs:
                _dressed(one, theirs[one.name])
    if (
        isinstance(node, Function | ast.ClassDef)
        and isinstance(reference, Function | ast.ClassDef)
        and ast.get_docstring(reference)
        and not ast.get_docstring(node)
    ):
        node.body = [reference.body[0], *node.body]
    return node
