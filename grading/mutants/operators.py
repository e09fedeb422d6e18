"""The mutation operators: replacements of a piece of code that make it do something else.

They are the operators of mutation testing (DeMillo, Lipton and Sayward, "Hints on Test Data Selection", 1978), and
others for the code of layers: axes, dtypes, flags, sublayers.
"""

from __future__ import annotations

import ast
import copy
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

_ARITHMETIC: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
}
_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq, ast.Gt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
# Functions, and similar ones that may replace them.
_ALIKE = {
    "equal": ("not_equal",),
    "not_equal": ("equal", "greater"),
    "less": ("less_equal", "greater"),
    "less_equal": ("less", "greater_equal"),
    "greater": ("greater_equal", "less"),
    "greater_equal": ("greater", "less_equal"),
    "logical_and": ("logical_or",),
    "logical_or": ("logical_and",),
    "any": ("all",),
    "all": ("any",),
    "maximum": ("minimum",),
    "minimum": ("maximum",),
    "max": ("min",),
    "min": ("max",),
    "sum": ("mean",),
    "mean": ("sum",),
    "floor": ("ceil",),
    "ceil": ("floor",),
}
# In mixed precision, a layer stores its weights in one dtype and computes in another.
_DTYPES_OF_A_LAYER = {"dtype_policy": "compute_dtype"}
# Functions and operators for which the order of the arguments makes no difference.
_SYMMETRIC = {"max", "min", "maximum", "minimum", "equal", "not_equal", "logical_and", "logical_or", "swapaxes"}
_PRODUCTS = (ast.Mult, ast.BitAnd, ast.BitOr)
_DTYPES = {
    "bool": ("int32",),
    "int32": ("int64", "float32"),
    "int64": ("int32", "float32"),
    "float16": ("float32",),
    "float32": ("float16", "float64"),
    "float64": ("float32",),
}


@dataclass(frozen=True)
class Scope:
    """The names that may replace each other.

    Attributes:
        names: the parameters and local variables of the function.
        attributes: the attributes of `self`, in a class.
    """

    names: Sequence[str]
    attributes: Sequence[str]


def replacements(node: ast.AST, scope: Scope) -> Iterator[ast.AST]:
    """Yield the replacements of a node; its own parts stay as they are."""
    match node:
        case ast.Constant():
            yield from _constants(node)
        case ast.Name(id=name, ctx=ast.Load()) if name in scope.names:
            yield from (ast.Name(other, ast.Load()) for other in scope.names if other != name)
        case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Load()) if name in scope.attributes:
            others = (other for other in scope.attributes if other != name)
            yield from (ast.Attribute(node.value, other, ast.Load()) for other in others)
        case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Load()) if name in _DTYPES_OF_A_LAYER:
            yield ast.Attribute(node.value, _DTYPES_OF_A_LAYER[name], ast.Load())
        case ast.expr():
            yield from _expressions(node)
        case ast.stmt():
            yield from _statements(node)
        case ast.comprehension(target=target, iter=iterated, ifs=ifs, is_async=is_async):
            for kept in _each_left_out(ifs):
                yield ast.comprehension(target, iterated, kept, is_async)
            yield ast.comprehension(target, _shortened(iterated), ifs, is_async)


def reordered(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the same compound statement with two neighbouring statements of its body exchanged."""
    body = getattr(node, "body", None)
    if isinstance(body, list) and isinstance(node, ast.stmt):
        for first in range(len(body) - 1):
            if not any(is_docstring(one) or only_validates(one) for one in body[first : first + 2]):
                other = copy.copy(node)
                other.body = [*body[:first], body[first + 1], body[first], *body[first + 2 :]]  # type: ignore[attr-defined]
                yield other


def _constants(node: ast.Constant) -> Iterator[ast.expr]:
    match node.value:
        case bool(value):
            yield ast.Constant(not value)
        case int(value):
            yield from (ast.Constant(other) for other in sorted({value + 1, value - 1, -value, 0} - {value}))
        case float(value):
            yield from (ast.Constant(other) for other in sorted({2 * value, -value, 0.0, 1.0} - {value}))
        case str(value) if value in _DTYPES:
            yield from map(ast.Constant, _DTYPES[value])
        case str(value):
            yield from (ast.Constant(other) for other in ("", f"{value}x") if other != value)


def _expressions(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.BinOp(left=left, op=op, right=right):
            yield from (left, right)
            yield from (ast.BinOp(left, other(), right) for other in _ARITHMETIC.get(type(op), ()))
            yield from [] if isinstance(op, _PRODUCTS) else [ast.BinOp(right, op, left)]
        case ast.UnaryOp(operand=operand):
            yield operand
        case ast.BoolOp(op=op, values=values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            yield from (kept[0] if len(kept) == 1 else ast.BoolOp(op, kept) for kept in _each_left_out(values))
        case ast.Compare():
            yield from _comparisons(node)
        case ast.IfExp(body=body, orelse=orelse):
            yield from (body, orelse)
        case ast.Call():
            yield from _calls(node)
        case ast.Subscript(value=value, slice=index, ctx=ast.Load()):
            yield value
            if isinstance(index, ast.Slice):
                bounds = (index.lower, index.upper, index.step)
                for place in range(3):
                    if bounds[place]:
                        kept = [None if place == other else bounds[other] for other in range(3)]
                        yield ast.Subscript(value, ast.Slice(*kept), ast.Load())
        case ast.Tuple(elts=[_, _, *_] as parts, ctx=ast.Load()) | ast.List(elts=[_, _, *_] as parts, ctx=ast.Load()):
            for changed in itertools.chain(_neighbours_exchanged(parts), _each_left_out(parts)):
                yield type(node)(changed, ast.Load())


def _comparisons(node: ast.Compare) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            yield from (ast.Compare(left, [other()], [right]) for other in _COMPARISONS[type(op)])
            if isinstance(op, ast.Is | ast.IsNot) and isinstance(right, ast.Constant) and right.value is None:
                # Testing for truth instead of None treats 0 and empty values as None.
                yield left if isinstance(op, ast.IsNot) else ast.UnaryOp(ast.Not(), left)


def _calls(node: ast.Call) -> Iterator[ast.expr]:
    positional = [argument for argument in node.args if not isinstance(argument, ast.Starred)]
    if positional:
        yield positional[0]
    if isinstance(node.func, ast.Attribute) and not positional:
        yield node.func.value
    exchanged = [] if ast.unparse(node.func).rpartition(".")[2] in _SYMMETRIC else _neighbours_exchanged(node.args)
    for args in itertools.chain(_each_left_out(node.args), exchanged):
        yield ast.Call(node.func, args, node.keywords)
    for keywords in _each_left_out(node.keywords):
        yield ast.Call(node.func, node.args, keywords)
    if len(positional) == 1 and _is_of_self(node.func):
        yield ast.Call(node.func, [node], node.keywords)
    for function in _others_to_call(node.func):
        yield ast.Call(function, node.args, node.keywords)


def _others_to_call(function: ast.expr) -> Iterator[ast.expr]:
    match function:
        case ast.Attribute(value=owner, attr=name) if name in _ALIKE:
            yield from (ast.Attribute(owner, other, ast.Load()) for other in _ALIKE[name])
        case ast.Name(id=name) if name in _ALIKE:
            yield from (ast.Name(other, ast.Load()) for other in _ALIKE[name])


def _statements(node: ast.stmt) -> Iterator[ast.stmt]:
    match node:
        case ast.If(test=test, body=body, orelse=orelse):
            yield from (ast.If(ast.Constant(value), body, orelse) for value in (True, False))
            yield ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.For(target=target, iter=iterated, body=body, orelse=orelse):
            yield ast.For(target, _shortened(iterated), body, orelse)
        case ast.AugAssign(target=target, op=op, value=value):
            yield from (ast.AugAssign(target, other(), value) for other in _ARITHMETIC.get(type(op), ()))
            yield ast.Assign([target], value, lineno=node.lineno)
            yield ast.Pass()
        case ast.Continue():
            yield from (ast.Break(), ast.Pass())
        case ast.Break():
            yield ast.Pass()
        case ast.Assign() | ast.AnnAssign() | ast.Expr() if not is_docstring(node):
            yield ast.Pass()


def _each_left_out(parts: Sequence[T]) -> Iterator[list[T]]:
    for place in range(len(parts)):
        yield [*parts[:place], *parts[place + 1 :]]


def _neighbours_exchanged(parts: Sequence[T]) -> Iterator[list[T]]:
    for place in range(len(parts) - 1):
        yield [*parts[:place], parts[place + 1], parts[place], *parts[place + 2 :]]


def _shortened(iterated: ast.expr) -> ast.expr:
    """The iterated values without the first."""
    everything = ast.Call(ast.Name("list", ast.Load()), [iterated], [])
    return ast.Subscript(everything, ast.Slice(ast.Constant(1)), ast.Load())


def _is_of_self(function: ast.expr) -> bool:
    return isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "self"


def is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def only_validates(node: ast.AST) -> bool:
    """Whether a statement only validates input, such as `require_sizes(...)` or an `if` that raises: never graded."""
    match node:
        case ast.If(body=[*before, ast.Raise()], orelse=[]):  # assignments may build the message first
            return all(isinstance(statement, ast.Assign) for statement in before)
        case ast.For(body=body, orelse=[]):
            return all(map(only_validates, body))
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))):
            return name.lstrip("_").startswith("require")
    return False
