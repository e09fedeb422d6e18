"""Keeps a library's modules out of an answer's reach, whatever object leads to one.

Facades stand for the modules that an answer imports. Another object may hold a real module, as a
`keras.random.SeedGenerator` does, and from a module everything can be reached. So an answer is compiled from a syntax
tree in which each attribute is guarded: it is asked of no module but a facade, and yields no other. Methods that are
given the name of an attribute are held to the allowed ones (`attribute_names`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator
from functools import cache
from types import ModuleType, SimpleNamespace
from typing import Any

from grading.sandbox.allowlist import LAYOUT
from grading.sandbox.attribute_names import HELD, held, require_settable
from grading.sandbox.errors import NotAllowed

# No text that `grading.judging.language` lets pass has these names.
_VALUE, _HELD, _SET, _BOX = "__value__", "__held__", "__set_on__", "__box__"
_KIND, _KINDS, _PATTERN = "__kind__", "__kinds__", "__pattern__"
_AUTOGRAPH = "ag__"  # how the code that TensorFlow writes calls its own module
_ANNOTATIONS = ("annotation", "returns")


class FacadeModule(ModuleType):
    """A module that an answer may have."""


def guards() -> dict[str, Any]:
    """The names that guarded code needs among Python's own."""
    return {_VALUE: not_a_module, _HELD: _held, _SET: _set_on, _BOX: _box, _KIND: _kind, _KINDS: _Kinds}


def not_a_module(value: Any) -> Any:
    """Return the value.

    Raises:
        NotAllowed: it is a module and no facade.
    """
    kind = type(value)
    if issubclass(kind, ModuleType) and not issubclass(kind, FacadeModule):
        raise NotAllowed("an answer may not use a module to which another object leads")
    return value


def guarded(source: str, origin: str) -> Any:
    """Return the code of a text with its attributes guarded. Its annotations are not evaluated."""
    tree = _Guarding(ast, _ANNOTATIONS).of(ast.parse(source, origin))
    return compile(tree, origin, "exec")  # as in this file, annotations stay texts


@cache
def transpiler() -> Any:
    """What writes TensorFlow's version of a function, from its text; with guards if the function has them."""
    import gast
    from tensorflow.python.autograph.impl import api

    class Transpiler(api.PyToTF):
        def transform_ast(self, node: Any, ctx: Any) -> Any:
            node = super().transform_ast(node, ctx)
            known = ctx.info.namespace.get("__builtins__")
            return _Guarding(gast, ()).of(node) if isinstance(known, dict) and _VALUE in known else node

    return Transpiler()


class _Guarding:
    """Guards the attributes in a tree, which it changes.

    Args:
        nodes: the module that has the classes of the tree's nodes.
        skipped: fields in which nothing is evaluated.
    """

    def __init__(self, nodes: Any, skipped: Collection[str]) -> None:
        self._nodes = nodes
        self._skipped = skipped

    def of(self, tree: Any) -> Any:
        for node in list(self._walk(tree)):
            for field, value in self._fields(node) if not isinstance(node, ast.pattern) else ():
                if isinstance(value, list):
                    lines = [line for item in value for line in self._lines(item)]
                    setattr(node, field, [self._child(node, field, line) for line in lines])
                else:
                    setattr(node, field, self._child(node, field, value))
        return tree

    def _walk(self, tree: Any) -> Iterator[Any]:
        """All nodes, from the outermost in; without recursion, because answers may be deep."""
        waiting = [tree]
        while waiting:
            node = waiting.pop()
            yield node
            for _, value in self._fields(node):
                several = value if isinstance(value, list) else [value]
                waiting += [item for item in several if isinstance(item, ast.AST)]

    def _fields(self, node: Any) -> list[tuple[str, Any]]:
        return [(field, value) for field, value in ast.iter_fields(node) if field not in self._skipped]

    def _child(self, node: Any, field: str, value: Any) -> Any:
        """What stands in a field of a node instead of a value."""
        is_read = isinstance(value, self._nodes.Attribute) and isinstance(value.ctx, self._nodes.Load)
        if is_read and value.attr in HELD:
            return self._read(value)
        if isinstance(node, self._nodes.Attribute) and field == "value":
            is_autograph = isinstance(value, self._nodes.Name) and value.id == _AUTOGRAPH
            if node.attr in LAYOUT and isinstance(node.ctx, self._nodes.Store):
                return self._call(_SET, value, self._expression(repr(node.attr), value))
            return value if is_autograph else self._call(_VALUE, value)
        is_called = isinstance(node, self._nodes.Call) and field == "func"  # and a module cannot be
        return self._call(_VALUE, value) if is_read and not is_called else value

    def _lines(self, line: Any) -> Iterator[Any]:
        """A statement; before a `match`, one that makes its patterns' classes, because no call may stand there.

        As in any `match`, what a pattern names is looked up when the pattern's turn has come.
        """
        kinds: list[Any] = []
        for pattern in self._patterns(line):
            match type(pattern).__name__:
                case "MatchValue":
                    pattern.value = self._boxed(pattern.value)
                case "MatchMapping":
                    pattern.keys = list(map(self._boxed, pattern.keys))
                case "MatchClass" if not pattern.patterns:  # with any, it is one of Python's own
                    names = [self._expression(repr(name), pattern) for name in pattern.kwd_attrs]
                    later = self._expression("lambda: 0", pattern)
                    later.body = self._call(_KIND, self._call(_VALUE, pattern.cls), *names)
                    pattern.cls = self._expression(f"{_PATTERN}.kind_{len(kinds)}", pattern)
                    kinds.append(later)
        if kinds:
            name = self._nodes.parse(f"{_PATTERN} = 0").body[0]
            name.value = self._call(_KINDS, *kinds)
            yield self._placed(name, line)
        yield line

    def _boxed(self, value: Any) -> Any:
        """What may stand in a pattern: an attribute of something, not the result of a call."""
        if not isinstance(value, self._nodes.Attribute):
            return value
        boxed = self._expression(f"{_BOX}().value", value)
        boxed.value.args = [self._read(value)]
        return boxed

    def _read(self, value: Any) -> Any:
        """An attribute that is read, guarded."""
        if value.attr in HELD:
            return self._call(_HELD, value, self._expression(repr(value.attr), value))
        return self._call(_VALUE, value)

    def _patterns(self, line: Any) -> list[Any]:
        cases = line.cases if isinstance(line, self._nodes.Match) else []
        return [node for case in cases for node in ast.walk(case.pattern) if isinstance(node, ast.pattern)]

    def _call(self, name: str, *arguments: Any) -> Any:
        call = self._expression(f"{name}()", arguments[0])
        call.args = list(arguments)
        return call

    def _expression(self, text: str, place: Any) -> Any:
        expression = self._nodes.parse(text).body[0].value
        for part in ast.walk(expression):
            ast.copy_location(part, place)
        return expression

    def _placed(self, node: Any, place: Any) -> Any:
        for part in (node, *ast.iter_child_nodes(node)):
            ast.copy_location(part, place)
        return node


def _held(value: Any, name: str) -> Any:
    return held(not_a_module(value), name)


def _set_on(value: Any, name: str) -> Any:
    return require_settable(not_a_module(value), name)


def _box(value: Any) -> SimpleNamespace:
    return SimpleNamespace(value=value)


def _kind(kind: Any, *attributes: str) -> type:
    """Return a class for a class pattern: like `kind`, and it raises if one of these attributes is a module."""
    if not isinstance(kind, type):
        raise TypeError("called match pattern must be a class")

    class Kind(type):
        def __instancecheck__(cls, instance: Any) -> bool:
            if not isinstance(instance, kind):
                return False
            not_a_module(instance)
            for name in attributes:
                value = not_a_module(getattr(instance, name, None))
                if held(value, name) is not value:
                    raise NotAllowed(f"the attribute `{name}` is asked for in no pattern of an answer")
            return True

    return Kind("Kind", (), {})


class _Kinds:
    """The classes of a statement's patterns, each made when it is asked for."""

    def __init__(self, *makers: Callable[[], type]) -> None:
        self._makers = makers

    def __getattr__(self, name: str) -> type:
        return self._makers[int(name.removeprefix("kind_"))]()
