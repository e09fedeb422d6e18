"""Keeps a library's modules out of an answer's reach, whatever object leads to one.

Facades stand for the modules that an answer imports. Another object may hold a real module, as a
`keras.random.SeedGenerator` does, and from a module everything can be reached. So an answer is compiled from a syntax
tree in which each attribute is guarded: it is asked of no module but a facade, and yields no other.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import cache
from types import ModuleType, SimpleNamespace
from typing import Any

from grading.sandbox.errors import NotAllowed

# No text that `grading.judging.language` lets pass has these names.
_VALUE, _KIND, _VALUES, _PATTERN = "__value__", "__kind__", "__values__", "__pattern__"
_AUTOGRAPH = "ag__"  # how the code that TensorFlow writes calls its own module
_ANNOTATIONS = ("annotation", "returns")


class FacadeModule(ModuleType):
    """A module that an answer may have."""


def guards() -> dict[str, Any]:
    """The names that guarded code needs among Python's own."""
    return {_VALUE: not_a_module, _KIND: _kind, _VALUES: _values}


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
        if isinstance(node, self._nodes.Attribute) and field == "value":
            is_autograph = isinstance(value, self._nodes.Name) and value.id == _AUTOGRAPH
            return value if is_autograph else self._call(_VALUE, value)
        is_read = isinstance(value, self._nodes.Attribute) and isinstance(value.ctx, self._nodes.Load)
        is_called = isinstance(node, self._nodes.Call) and field == "func"  # and a module cannot be
        return self._call(_VALUE, value) if is_read and not is_called else value

    def _lines(self, line: Any) -> Iterator[Any]:
        """A statement; before a `match`, one that computes what its patterns name, because no call may stand there."""
        values: list[Any] = []

        def computed(value: Any) -> Any:
            values.append(value)
            return self._expression(f"{_PATTERN}.value_{len(values) - 1}", value)

        for pattern in self._patterns(line):
            match type(pattern).__name__:
                case "MatchValue" if isinstance(pattern.value, self._nodes.Attribute):
                    pattern.value = computed(self._call(_VALUE, pattern.value))
                case "MatchMapping":
                    named = [isinstance(key, self._nodes.Attribute) for key in pattern.keys]
                    keys = zip(pattern.keys, named, strict=True)
                    pattern.keys = [computed(self._call(_VALUE, key)) if is_named else key for key, is_named in keys]
                case "MatchClass" if not pattern.patterns:  # with any, it is one of Python's own
                    names = [self._expression(repr(name), pattern) for name in pattern.kwd_attrs]
                    pattern.cls = computed(self._call(_KIND, self._call(_VALUE, pattern.cls), *names))
        if values:
            name = self._nodes.parse(f"{_PATTERN} = 0").body[0]
            name.value = self._call(_VALUES, *values)
            yield self._placed(name, line)
        yield line

    def _patterns(self, line: Any) -> list[Any]:
        cases = line.cases if isinstance(line, self._nodes.Match) else []
        return [node for case in cases for node in ast.walk(case.pattern) if isinstance(node, ast.pattern)]

    def _call(self, name: str, *arguments: Any) -> Any:
        call = self._expression(f"{name}()", arguments[0])
        call.args = list(arguments)
        return call

    def _expression(self, text: str, place: Any) -> Any:
        return self._placed(self._nodes.parse(text).body[0].value, place)

    def _placed(self, node: Any, place: Any) -> Any:
        for part in (node, *ast.iter_child_nodes(node)):
            ast.copy_location(part, place)
        return node


def _kind(kind: Any, *attributes: str) -> type:
    """Return a class for a class pattern: like `kind`, and it raises if one of these attributes is a module."""
    if not isinstance(kind, type):
        raise TypeError("called match pattern must be a class")

    class Kind(type):
        def __instancecheck__(cls, instance: Any) -> bool:
            if not isinstance(instance, kind):
                return False
            for value in (instance, *(getattr(instance, name, None) for name in attributes)):
                not_a_module(value)
            return True

    return Kind("Kind", (), {})


def _values(*values: Any) -> SimpleNamespace:
    return SimpleNamespace(**{f"value_{place}": value for place, value in enumerate(values)})
