"""Rewrites the reference answers in other ways, without changing their meaning.

If a rewrite fails a check, the check asks for more than the lesson does. Each way is mechanical, so it applies to new
exercises without any work.
"""

from __future__ import annotations

import ast
import copy
import itertools
from collections.abc import Callable

from grading.lessons.answers import Answer, Teaching
from grading.lessons.library import Function
from grading.mutants.making import Mutant, with_definitions, written_by_student
from grading.mutants.operators import is_docstring

ALL_TOGETHER = "all of these together"
_MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
_DECORATOR = """
import functools


def passed_on(function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        return function(*args, **kwargs)

    return call
"""


def rewrites_of(teaching: Teaching, answer: Answer) -> list[Mutant]:
    """An exercise's answer, rewritten in each way that changes it, and in all of them at once."""
    rewrites = []
    for change, ways in (*((name, [way]) for name, way in WAYS.items()), (ALL_TOGETHER, list(WAYS.values()))):
        texts = {}
        for definition in (answer.definition, *answer.helpers):
            tree = copy.deepcopy(definition.node)
            before = ast.unparse(tree)
            for function in written_by_student(tree, answer):
                for way in ways:
                    way(function)
            after = ast.unparse(ast.fix_missing_locations(tree))
            if after != before:
                texts[definition] = f"{_DECORATOR}\n\n{after}" if "@passed_on" in after else after
        if texts:
            rewrites.append(Mutant(answer.task.name, change, with_definitions(teaching, texts)))
    return rewrites


class _OtherNames(ast.NodeTransformer):
    """Renames local variables."""

    def __init__(self, function: Function) -> None:
        nodes = list(ast.walk(function))
        stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        self._names = stored - {node.arg for node in nodes if isinstance(node, ast.arg)}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(f"my_{node.id}", node.ctx) if node.id in self._names else node


class _OneField(ast.NodeTransformer):
    """Reads arguments from an object that has them all as fields."""

    def __init__(self, names: list[str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self._names and isinstance(node.ctx, ast.Load):
            return ast.Attribute(ast.Name("given", ast.Load()), node.id, ast.Load())
        return node


class _KeywordsReversed(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if all(keyword.arg for keyword in node.keywords):
            node.keywords.reverse()
        return node


class _ListsForTuples(ast.NodeTransformer):
    """Replaces tuples in the arguments of `ops` functions and in results by lists."""

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "ops":
            node.args = [_as_list(argument) for argument in node.args]
        return node

    def visit_Return(self, node: ast.Return) -> ast.Return:
        self.generic_visit(node)
        node.value = node.value and _as_list(node.value)
        return node


class _Mirrored(ast.NodeTransformer):
    """Writes `b > a` for `a < b`, and `b * a` for `a * b`."""

    def visit_Compare(self, node: ast.Compare) -> ast.Compare:
        self.generic_visit(node)
        if len(node.ops) == 1 and type(node.ops[0]) in _MIRRORED:
            return ast.Compare(node.comparators[0], [_MIRRORED[type(node.ops[0])]()], [node.left])
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.BinOp:
        self.generic_visit(node)
        return ast.BinOp(node.right, node.op, node.left) if isinstance(node.op, ast.Mult) else node


class _Einsum(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if ast.unparse(node.func) == "ops.matmul":
            node.func = ast.Attribute(ast.Name("ops", ast.Load()), "einsum", ast.Load())
            node.args.insert(0, ast.Constant("...ij,...jk->...ik"))
        return node


class _ElseFirst(ast.NodeTransformer):
    """Puts the `else` case first."""

    def visit_IfExp(self, node: ast.IfExp) -> ast.IfExp:
        self.generic_visit(node)
        return ast.IfExp(ast.UnaryOp(ast.Not(), node.test), node.orelse, node.body)

    def visit_If(self, node: ast.If) -> ast.If:
        self.generic_visit(node)
        return ast.If(ast.UnaryOp(ast.Not(), node.test), node.orelse, node.body) if node.orelse else node


class _Statements(ast.NodeTransformer):
    """Splits one statement into several."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)

    def _new(self, name: str) -> str:
        return f"{name}_{next(self._numbers)}"

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return node


class _Temporaries(_Statements):
    """Names the result, and the first argument of a call if it is a call itself."""

    def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
        if node.value is None or isinstance(node.value, ast.Constant | ast.Name):
            return [node]
        name = self._new("answer")
        return [*self._first_argument(_assign(name, node.value)), ast.Return(ast.Name(name, ast.Load()))]

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        return self._first_argument(node)

    def _first_argument(self, node: ast.Assign) -> list[ast.stmt]:
        call = node.value
        if not isinstance(call, ast.Call) or not call.args or not isinstance(call.args[0], ast.Call):
            return [node]
        name = self._new("first")
        before = _assign(name, call.args[0])
        call.args[0] = ast.Name(name, ast.Load())
        return [before, node]


class _Helpers(_Statements):
    """Computes the result in a function of its own."""

    def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
        if node.value is None or isinstance(node.value, ast.Constant | ast.Name) or _uses_super(node):
            return [node]
        name = self._new("helper")
        call = ast.Call(ast.Name(name, ast.Load()), [], [])
        nothing = ast.arguments([], [], None, [], [], None, [])
        return [_function(name, nothing, [ast.Return(node.value)]), ast.Return(call)]


class _LoopsForComprehensions(_Statements):
    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        return self._in_loop(node)

    def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
        if not isinstance(node.value, ast.ListComp):
            return [node]
        name = self._new("collected")
        return [*self._in_loop(_assign(name, node.value)), ast.Return(ast.Name(name, ast.Load()))]

    def _in_loop(self, node: ast.Assign) -> list[ast.stmt]:
        made = node.value
        if not isinstance(made, ast.ListComp | ast.GeneratorExp) or len(made.generators) > 1:
            return [node]
        name = self._new("kept")
        append = ast.Attribute(ast.Name(name, ast.Load()), "append", ast.Load())
        body: list[ast.stmt] = [ast.Expr(ast.Call(append, [made.elt], []))]
        for condition in reversed(made.generators[0].ifs):
            body = [ast.If(condition, body, [])]
        loop = ast.For(made.generators[0].target, made.generators[0].iter, body, [], lineno=0)
        node.value = ast.Name(name, ast.Load())
        return [_assign(name, ast.List([], ast.Load())), loop, node]


class _WhileForFor(_Statements):
    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        self.generic_visit(node)
        if node.orelse:
            return [node]
        name = self._new("rest")
        following = ast.Call(ast.Name("next", ast.Load()), [ast.Name(name, ast.Load())], [])
        over = ast.ExceptHandler(ast.Name("StopIteration", ast.Load()), None, [ast.Break()])
        step = ast.Try([ast.Assign([node.target], following, lineno=0)], [over], [], [])
        iterator = ast.Call(ast.Name("iter", ast.Load()), [node.iter], [])
        return [_assign(name, iterator), ast.While(ast.Constant(True), [step, *node.body], [])]


class _Plainly(ast.NodeTransformer):
    """Writes `a = a + b` for `a += b`, and `setattr(self, "a", b)` for `self.a = b`."""

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        # A list accepts any iterable, such as a `zip`, with `+=`, but only a list with `+`.
        if not isinstance(node.target, ast.Name) or isinstance(node.value, ast.Call):
            return node
        return _assign(node.target.id, ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value))

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        match node.targets:
            case [ast.Attribute(value=ast.Name(id="self") as owner, attr=name)]:
                given: list[ast.expr] = [ast.Name(owner.id, ast.Load()), ast.Constant(name), node.value]
                return ast.Expr(ast.Call(ast.Name("setattr", ast.Load()), given, []))
        return node


def _by(transformer: Callable[[], ast.NodeTransformer]) -> Callable[[Function], None]:
    def way(function: Function) -> None:
        docstring, body = _parts(function)
        changed = transformer().visit(ast.Module(body, []))
        function.body = [*docstring, *changed.body]

    return way


def _with_else(function: Function) -> None:
    """Move the code after an `if` that returns into its `else`, and put that first."""
    docstring, body = _parts(function)
    for place in reversed(range(len(body) - 1)):
        node = body[place]
        if isinstance(node, ast.If) and not node.orelse and isinstance(node.body[-1], ast.Return):
            body[place:] = [ast.If(node.test, node.body, body[place + 1 :])]
    function.body = [*docstring, *_ElseFirst().visit(ast.Module(body, [])).body]


def _with_static_method(function: Function) -> None:
    if _uses_super(function) or not _plain_arguments(function):
        return
    docstring, body = _parts(function)
    method = _function("answer", copy.deepcopy(function.args), body)
    method.decorator_list = [ast.Name("staticmethod", ast.Load())]
    parts = ast.ClassDef("Parts", [], [], [method], [])
    arguments = [ast.keyword(name, ast.Name(name, ast.Load())) for name in _names(function)]
    answer = ast.Attribute(ast.Name("Parts", ast.Load()), "answer", ast.Load())
    function.body = [*docstring, parts, ast.Return(ast.Call(answer, [], arguments))]


def _with_data_class(function: Function) -> None:
    inside = [node for node in ast.walk(function) if node is not function]
    bound = {node.arg for statement in function.body for node in ast.walk(statement) if isinstance(node, ast.arg)}
    bound |= {node.id for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    names = [name for name in _names(function) if name not in bound | {"self"}]
    if not names or not _plain_arguments(function):
        return
    docstring, body = _parts(function)
    fields = "".join(f"    {name}: object\n" for name in names)
    made = ", ".join(f"{name}={name}" for name in names)
    code = f"import dataclasses\n@dataclasses.dataclass\nclass Given:\n{fields}\ngiven = Given({made})"
    changed = _OneField(names).visit(ast.Module(body, []))
    function.body = [*docstring, *ast.parse(code).body, *changed.body]


def _decorated(function: Function) -> None:
    if not function.decorator_list:
        function.decorator_list = [ast.Name("passed_on", ast.Load())]


WAYS: dict[str, Callable[[Function], None]] = {
    "other names": lambda function: _by(lambda: _OtherNames(function))(function),
    "einsum for matmul": _by(_Einsum),
    "keywords in another order": _by(_KeywordsReversed),
    "lists for tuples": _by(_ListsForTuples),
    "comparisons and products the other way round": _by(_Mirrored),
    "loops for comprehensions": _by(_LoopsForComprehensions),
    "while for for": _by(_WhileForFor),
    "the other case first": _with_else,
    "assignments spelled out": _by(_Plainly),
    "a name for what comes between": _by(_Temporaries),
    "helpers": _by(_Helpers),
    "a data class for the arguments": _with_data_class,
    "a static method": _with_static_method,
    "a decorator": _decorated,
}


def _parts(function: Function) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """A function's docstring, and the statements after it."""
    split = int(bool(function.body) and is_docstring(function.body[0]))
    return function.body[:split], function.body[split:]


def _names(function: Function) -> list[str]:
    return [one.arg for one in (*function.args.args, *function.args.kwonlyargs)]


def _plain_arguments(function: Function) -> bool:
    return not (function.args.posonlyargs or function.args.vararg or function.args.kwarg)


def _uses_super(node: ast.AST) -> bool:
    return any(isinstance(part, ast.Name) and part.id == "super" for part in ast.walk(node))


def _as_list(node: ast.expr) -> ast.expr:
    is_plain = isinstance(node, ast.Tuple) and not any(isinstance(part, ast.Starred) for part in node.elts)
    return ast.List(node.elts, ast.Load()) if is_plain else node  # type: ignore[attr-defined]


def _assign(name: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([ast.Name(name, ast.Store())], value, lineno=0)


def _function(name: str, arguments: ast.arguments, body: list[ast.stmt]) -> ast.FunctionDef:
    return ast.FunctionDef(name, arguments, body, [], lineno=0)
