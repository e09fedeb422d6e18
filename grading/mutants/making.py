"""Makes the mutants of an exercise: versions of its module with one small change."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from grading.lessons.answers import Answer, Teaching
from grading.lessons.library import Definition, Function
from grading.mutants.operators import Scope, is_docstring, only_validates, reordered, replacements
from grading.mutants.wrappers import wrapped


@dataclass(frozen=True)
class Mutant:
    """A module with a wrong definition, or with one equivalent to the reference.

    Attributes:
        exercise: the exercise's name.
        change: the change in one line; unique among the mutants of the exercise.
        source: the text of the changed module.
    """

    exercise: str
    change: str
    source: str = field(repr=False)


def mutants_of(teaching: Teaching, answer: Answer) -> list[Mutant]:
    """All mutants of an exercise: of each piece of the student's code, and of the definition as a whole."""
    name = answer.task.name
    changes: Counter[str] = Counter()
    seen = {teaching.module.source}
    mutants = []
    for change, source in (*_changed_pieces(teaching, answer), *_changed_wholes(teaching, answer)):
        if source not in seen:
            seen.add(source)
            changes[change] += 1
            number = changes[change]
            mutants.append(Mutant(name, change if number == 1 else f"{change} ({number})", source))
    return mutants


def _changed_pieces(teaching: Teaching, answer: Answer) -> Iterator[tuple[str, str]]:
    for definition in (answer.definition, *answer.helpers):
        tree = copy.deepcopy(definition.node)
        before = ast.unparse(tree)
        for function in written_by_student(tree, answer):
            scope = scope_of(function, tree)
            for holder, field_name, place in places(function):
                values = getattr(holder, field_name)
                node = values if place is None else values[place]
                for other in (*replacements(node, scope), *reordered(node)):
                    _put(holder, field_name, place, other)
                    after = ast.unparse(ast.fix_missing_locations(tree))
                    _put(holder, field_name, place, node)
                    if after != before:
                        source = with_definitions(teaching, {definition: after})
                        yield f"{function.name}: {_difference(before, after)}", source


def _changed_wholes(teaching: Teaching, answer: Answer) -> Iterator[tuple[str, str]]:
    for change, code in wrapped(answer.definition.node):
        yield change, f"{teaching.module.source}\n\n{code}"


def written_by_student(tree: ast.stmt, answer: Answer) -> Iterator[Function]:
    """The functions and methods whose bodies the student writes."""
    if isinstance(tree, Function):
        yield tree
    elif isinstance(tree, ast.ClassDef):
        names = {*answer.task.methods, *answer.task.helpers}
        yield from (node for node in tree.body if isinstance(node, Function) and node.name in names)


def scope_of(function: Function, tree: ast.stmt) -> Scope:
    """The names that may replace each other in a function, which stands in a definition."""
    arguments = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    stored = [node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    names = dict.fromkeys([argument.arg for argument in arguments if argument.arg != "self"] + stored)
    attributes = [
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == "self"
    ]
    return Scope(list(names), list(dict.fromkeys(attributes)))


def places(function: Function) -> Iterator[tuple[ast.AST, str, int | None]]:
    """Yield the places of nodes in a function's body, without raised errors and types, which are no behaviour."""
    unread: list[ast.AST] = [ast.Module(function.body, [])]
    unread[0].body = function.body  # type: ignore[attr-defined]
    while unread:
        holder = unread.pop()
        for name, value in ast.iter_fields(holder):
            if name in ("annotation", "returns", "decorator_list") or isinstance(holder, ast.Raise):
                continue
            parts = (
                [(None, value)] if isinstance(value, ast.AST) else list(enumerate(value)) if _is_nodes(value) else []
            )
            for place, part in parts:
                if isinstance(part, ast.AST) and not (is_docstring(part) or only_validates(part)):
                    yield holder, name, place
                    unread.append(part)


def _is_nodes(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(one, ast.AST) for one in value)


def _put(holder: ast.AST, name: str, place: int | None, node: ast.AST) -> None:
    if place is None:
        setattr(holder, name, node)
    else:
        getattr(holder, name)[place] = node


def _difference(before: str, after: str) -> str:
    """The changed lines, before and after."""
    old, new = before.splitlines(), after.splitlines()
    while old and new and old[0] == new[0]:
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    return " -> ".join("; ".join(line.strip() for line in lines) for lines in (old, new))


def with_definitions(teaching: Teaching, texts: Mapping[Definition, str]) -> str:
    """The module's text with some definitions replaced."""
    lines = list(teaching.module.lines)
    for definition in sorted(texts, key=lambda one: one.first, reverse=True):
        lines[definition.first - 1 : definition.last] = [texts[definition]]
    return "\n".join([*lines, ""])
