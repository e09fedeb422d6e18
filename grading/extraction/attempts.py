"""Grades statements by how much of a definition they are: complete, partial, a stub, or none at all."""

from __future__ import annotations

import ast
from enum import IntEnum

from grading.extraction.scopes import root_of

# Methods that lessons give; writing the others is the exercise.
_GIVEN_METHODS = frozenset(
    {
        "__init__",
        "build_from_config",
        "compute_mask",
        "compute_output_shape",
        "compute_output_spec",
        "from_config",
        "get_build_config",
        "get_config",
    }
)
# Functions that turn one function into another.
_WRAPPERS = {"function", "jit", "partial", "vectorize"}


class Level(IntEnum):
    """Kinds of statements that bind a name; a higher level is the likelier definition."""

    RESULT = -1  # a value that merely has the name, such as `padding_mask = padding_mask(ids)`
    GIVEN = 0  # imported from the course
    IMPORTED = 1
    STUB = 2  # `raise NotImplementedError`, `pass`, `...`
    VALUE = 3  # assigned something that may be a function
    PARTIAL = 4  # a class with some methods that are still stubs
    DEFINED = 5


def level_of(node: ast.stmt, name: str) -> Level:
    """The level of the statement `node`, which binds `name`."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return Level.STUB if _is_stub(node.body) else Level.DEFINED
        case ast.ClassDef():
            return _class_level(node)
        case ast.ImportFrom(module=str(module)) if module.partition(".")[0] in {"course", "my_bert"}:
            return Level.GIVEN
        case ast.Import() | ast.ImportFrom():
            return Level.IMPORTED
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
            return _value_level(value, name)
    return Level.RESULT


def alias_of(node: ast.stmt) -> str | None:
    """The name on the right of `name = other` or `name = other.attribute`, and in `class Name(Other): pass`."""
    match node:
        case ast.Assign(value=value):
            return root_of(value)
        case ast.ClassDef(bases=[base, *_]) if _is_stub(node.body):
            return root_of(base)
    return None


def method_of(node: ast.stmt, name: str) -> str | None:
    """An expression for the definition of `name` in the class `node`, or None."""
    if not isinstance(node, ast.ClassDef):
        return None
    for inner in node.body:
        if not isinstance(inner, ast.FunctionDef | ast.ClassDef) or inner.name != name or _is_stub(inner.body):
            continue
        takes_self = isinstance(inner, ast.FunctionDef) and [arg.arg for arg in inner.args.args[:1]] == ["self"]
        return f"{node.name}().{name}" if takes_self else f"{node.name}.{name}"
    return None


def _class_level(node: ast.ClassDef) -> Level:
    methods = [inner for inner in node.body if isinstance(inner, ast.FunctionDef)]
    written = [method for method in methods if not _is_stub(method.body)]
    # The methods that a student writes are neither in _GIVEN_METHODS nor decorated, as static methods are.
    is_untouched = all(method.name in _GIVEN_METHODS or method.decorator_list for method in written)
    if _is_stub(node.body) or (is_untouched and len(written) < len(methods)):
        return Level.STUB
    return Level.DEFINED if len(written) == len(methods) else Level.PARTIAL


def _value_level(value: ast.expr, name: str) -> Level:
    match value:
        case ast.Constant(value=constant) if constant is None or constant is ...:
            return Level.STUB
        case ast.Lambda():
            return Level.DEFINED
        case ast.Call(func=ast.Call()):
            return Level.DEFINED  # decorator(argument)(function)
        case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called)):
            if called == name:
                return Level.RESULT
            return Level.DEFINED if called in _WRAPPERS else Level.VALUE
    return Level.VALUE


def _is_stub(body: list[ast.stmt]) -> bool:
    """Whether a body, apart from its docstring, does nothing or only raises NotImplementedError."""
    return all(
        isinstance(statement, ast.Pass)
        or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        or (isinstance(statement, ast.Raise) and _raises_not_implemented(statement))
        for statement in body
    )


def _raises_not_implemented(statement: ast.Raise) -> bool:
    raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"
