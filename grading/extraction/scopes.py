"""Finds the names that a statement binds and those that it refers to, by Python's rules of scope."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
# Methods that change the list, dictionary, set or counter that they are asked of.
_CHANGES = {
    "add",
    "append",
    "appendleft",
    "clear",
    "discard",
    "extend",
    "extendleft",
    "fill",
    "insert",
    "pop",
    "popitem",
}
_CHANGES |= {"popleft", "remove", "reverse", "rotate", "setdefault", "sort", "subtract", "update"}
_CHANGES |= {"difference_update", "intersection_update", "symmetric_difference_update"}
_PARAMETERS = tuple(getattr(ast, name) for name in ("TypeVar", "ParamSpec", "TypeVarTuple") if hasattr(ast, name))


@dataclass(frozen=True)
class Names:
    """The top-level names that a top-level statement uses.

    Attributes:
        binds: names to which it gives a value.
        refers: names whose value it needs, at once or when a function in it is called.
        eager: those of them that it needs at once.
        extends: names of objects that it changes, as in `Layer.call = my_call` or `words.append("the")`.
    """

    binds: frozenset[str]
    refers: frozenset[str]
    eager: frozenset[str]
    extends: frozenset[str]


@dataclass
class _Scope:
    """The names of one scope, without those of the scopes in it."""

    loads: set[str] = field(default_factory=set)
    stores: set[str] = field(default_factory=set)
    declared: set[str] = field(default_factory=set)  # global or nonlocal
    extends: set[str] = field(default_factory=set)
    functions: list[_Function | ast.Lambda] = field(default_factory=list)
    comprehensions: list[_Comprehension] = field(default_factory=list)
    classes: list[ast.ClassDef] = field(default_factory=list)


def names_of(nodes: Iterable[ast.AST]) -> Names:
    """The names of statements or expressions at the top level.

    Raises:
        RecursionError: functions are nested a thousand deep.
    """
    nodes = [*nodes]
    scope = _scope(nodes)
    # The T of `def first[T](values: list[T])`, in Python 3.12 and later.
    types = {
        part.name for node in nodes for part in (ast.walk(node) if _PARAMETERS else ()) if isinstance(part, _PARAMETERS)
    }
    return Names(
        binds=frozenset(scope.stores),
        refers=frozenset((scope.loads | _free_inside(scope)) - types),
        eager=frozenset(_eager(scope) - types),
        extends=frozenset(scope.extends),
    )


def root_of(node: ast.AST) -> str | None:
    """`a` of `a.b[0].c`."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _scope(nodes: Iterable[ast.AST]) -> _Scope:
    scope = _Scope()
    waiting = list(nodes)
    while waiting:
        waiting += _enter(waiting.pop(), scope)
    return scope


def _enter(node: ast.AST, scope: _Scope) -> Iterable[ast.AST]:
    """Add a node's names to its scope, and return its child nodes in the same scope."""
    match node:
        case ast.Name(id=name, ctx=ast.Load()):
            scope.loads.add(name)
        case ast.Name(id=name, ctx=ast.Store()):
            scope.stores.add(name)
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
            return _enter_function(node, scope)
        case ast.ClassDef():
            scope.stores.add(node.name)
            scope.classes.append(node)
            return [*node.decorator_list, *node.bases, *node.keywords]
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            scope.comprehensions.append(node)
            # `:=` binds a name outside of the comprehension in which it stands.
            inside = (part.target.id for part in ast.walk(node) if isinstance(part, ast.NamedExpr))
            scope.stores.update(inside)
            return [node.generators[0].iter]
        case ast.Global() | ast.Nonlocal():
            scope.declared.update(node.names)
        case ast.AugAssign(target=ast.Name(id=name)):
            scope.loads.add(name)
        case ast.AnnAssign(target=ast.Name(), value=None):
            return [node.annotation]
        case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
            if (root := root_of(node)) is not None:
                scope.extends.add(root)
        case ast.Call(func=ast.Name(id="setattr"), args=[first, *_]) if (root := root_of(first)) is not None:
            scope.extends.add(root)
        case ast.Call(func=ast.Attribute(attr=called) as changed) if called in _CHANGES and (root := root_of(changed)):
            scope.extends.add(root)
    scope.stores.update(_bound_otherwise(node))
    return ast.iter_child_nodes(node)


def _bound_otherwise(node: ast.AST) -> list[str]:
    """Names that a node binds without a `Name` of its own in the tree."""
    match node:
        case ast.Import() | ast.ImportFrom():
            bound = [alias.asname or alias.name.partition(".")[0] for alias in node.names]
            return [name for name in bound if name != "*"]
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return [name]
        case ast.MatchMapping(rest=str(name)):
            return [name]
    return []


def _enter_function(node: _Function | ast.Lambda, scope: _Scope) -> list[ast.AST]:
    """Add a function to the scope around it, and return its nodes that are evaluated there."""
    scope.functions.append(node)
    at_once: list[ast.AST | None] = [*node.args.defaults, *node.args.kw_defaults]
    if not isinstance(node, ast.Lambda):
        scope.stores.add(node.name)
        scope.extends.update(_decorated(node))
        at_once += [*node.decorator_list, node.returns, *(arg.annotation for arg in _arguments(node.args))]
    return [child for child in at_once if child is not None]


def _decorated(node: _Function) -> Iterator[str]:
    """What a function's decorators may add it to: `Layer` in `@add_to(Layer)`, `half` in `@half.register(int)`."""
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call):
            receiver = decorator.func.value if isinstance(decorator.func, ast.Attribute) else None
            yield from (root for part in (receiver, *decorator.args) if part and (root := root_of(part)))


def _arguments(arguments: ast.arguments) -> list[ast.arg]:
    optional = [arguments.vararg, arguments.kwarg]
    named = arguments.posonlyargs + arguments.args + arguments.kwonlyargs
    return named + [argument for argument in optional if argument is not None]


def _free_inside(scope: _Scope) -> set[str]:
    """The names that inner scopes take from outside themselves."""
    free: set[str] = set()
    for function in scope.functions:
        body = [function.body] if isinstance(function, ast.Lambda) else function.body
        free |= _free(_scope(body), {argument.arg for argument in _arguments(function.args)})
    for comprehension in scope.comprehensions:
        free |= _free(_comprehension_scope(comprehension), set())
    for definition in scope.classes:
        # A class's statements see its names that stand above them, and its methods do not.
        free |= _eager_inside(definition) | _free_inside(_scope(definition.body)) - {"__class__"}
    return free


def _free(scope: _Scope, parameters: set[str]) -> set[str]:
    own = (scope.stores | parameters) - scope.declared
    return (scope.loads | scope.declared | _free_inside(scope)) - own


def _comprehension_scope(node: _Comprehension) -> _Scope:
    results = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
    rest = [part for generator in node.generators for part in (generator.target, *generator.ifs)]
    return _scope([*results, *rest, *(generator.iter for generator in node.generators[1:])])


def _eager(scope: _Scope) -> set[str]:
    eager = set(scope.loads)
    for comprehension in scope.comprehensions:
        eager |= _free(_comprehension_scope(comprehension), set())
    for definition in scope.classes:
        eager |= _eager_inside(definition)
    return eager


def _eager_inside(definition: ast.ClassDef) -> set[str]:
    """The names that a class's statements need at once and that no statement above them in it has bound."""
    eager: set[str] = set()
    bound: set[str] = set()
    for statement in definition.body:
        inside = _scope([statement])
        eager |= _eager(inside) - bound
        bound |= inside.stores
    return eager
