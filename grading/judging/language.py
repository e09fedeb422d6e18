"""Says what in the text of an answer may not stand there: names outside the allowlist, and ways around it.

It reads the syntax tree and runs nothing. What it cannot follow - a module that goes by another name, an attribute
whose name is computed - meets the facades and guards of the sandbox when it runs. Together they keep an answer to the
list: a text that passes here should reach neither the modules behind the facades nor the frames of the interpreter nor
Python's own loader.
"""

from __future__ import annotations

import ast
import builtins
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from grading.extraction.cells import parse
from grading.messages import Message
from grading.sandbox.allowlist import LAYOUT, Allowlist, canonical

_MOST_REFUSALS = 20
_MOST_SHOWN = 60  # characters of a line
_MATCH_THEMSELVES = ("bool", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple")
_PYTHONS = frozenset(dir(builtins))
_ASK_BY_NAME = ("getattr", "hasattr", "setattr", "delattr")
_OF_AN_ARRAY = LAYOUT - {"data"}  # which many a class of one's own has, and NumPy lets nobody set
# Fields of a syntax tree that hold text which names nothing.
_NOT_NAMES = frozenset({"kind", "type_comment"})


class Refusal(NamedTuple):
    """Something that may not be used.

    Attributes:
        name: what, such as `tensorflow.raw_ops`.
        sentence: why, as the author of the text is told.
    """

    name: str
    sentence: str


def refusals(source: str, allowed: Allowlist) -> list[Refusal]:
    """Lists what a text uses and may not, in its order.

    Args:
        source: Python.
        allowed: what it may use.
    """
    tree = parse(source)
    if not isinstance(tree, ast.Module):
        return [Refusal("unreadable text", Message("the text cannot be read: {error}", error=tree.msg))]
    lines = source.splitlines()
    reader = _Reader(tree, allowed)
    found: dict[str, str] = {}
    for node in sorted(ast.walk(tree), key=_place):
        for name, why in reader.refused(node):
            line = lines[node.lineno - 1].strip() if hasattr(node, "lineno") else ""
            shown = f"{line[:_MOST_SHOWN]}{'…' * (len(line) > _MOST_SHOWN)}"
            found.setdefault(name, Message("{why} (`{line}`)", why=Message.of(why), line=shown) if line else why)
    # `import keras_hub` says nothing more once `keras_hub.layers.X` is there.
    above = {name[:place] for name in found for place, letter in enumerate(name) if letter == "."}
    return [Refusal(name, why) for name, why in found.items() if name not in above][:_MOST_REFUSALS]


class _Reader:
    """Reads one text."""

    def __init__(self, tree: ast.Module, allowed: Allowlist) -> None:
        self._allowed = allowed
        self._meanings: defaultdict[str, set[str]] = defaultdict(set)
        self._bound: set[str] = set()
        self._inner: set[ast.AST] = set()
        for node in ast.walk(tree):
            match node:
                case ast.Import():
                    for alias in node.names:
                        name = alias.asname or alias.name.partition(".")[0]
                        self._meanings[name].add(alias.name if alias.asname else name)
                case ast.ImportFrom(module=str(module)):
                    for alias in node.names:
                        self._meanings[alias.asname or alias.name].add(f"{module}.{alias.name}")
                case ast.Attribute(value=value):
                    self._inner.add(value)
            self._bound.update(_bound_by(node))

    def refused(self, node: ast.AST) -> Iterator[tuple[str, str]]:
        """What a node uses and may not, each with the reason."""
        yield from self._inside(node)
        match node:
            case ast.Import():
                yield from self._listed(alias.name for alias in node.names)
            case ast.ImportFrom(level=level, module=module):
                if level or module is None:
                    yield ".", Message("an answer stands in no package, so it cannot import from one by dots")
                else:
                    yield from self._listed(
                        module if alias.name == "*" else f"{module}.{alias.name}" for alias in node.names
                    )
            case ast.Attribute(ctx=ast.Store() | ast.Del()) if set_in := self._meant(node):
                name = min(set_in)
                yield name, Message("an answer changes nothing in a library, but sets `{name}`", name=name)
            case ast.Attribute(attr=name, value=owner, ctx=ast.Store() | ast.Del()) if (
                name in _OF_AN_ARRAY and not _is_self(owner)
            ):
                yield (
                    name,
                    Message("an answer sets no array's `{name}`; `reshape` or `astype` makes another", name=name),
                )
            case ast.Attribute(attr="resize", value=owner) if not self._meant(node) and not _is_self(owner):
                yield "resize", Message("an answer resizes no array in place; `np.resize` makes another")
            # What a class says of its positions names attributes at run time.
            case ast.MatchClass(cls=kind, patterns=[_, *_]) if not self._matches_itself(kind):
                yield (
                    ast.unparse(kind),
                    Message(
                        "the pattern `{pattern}` has to name its attributes, as in `C(x=1)`", pattern=ast.unparse(node)
                    ),
                )
            case ast.Call(func=ast.Name(id=asks), args=[_, ast.Constant(value=str(name)), *_]) if (
                asks in _ASK_BY_NAME and self._is_python(asks) and not self._allowed.allows_attribute(name)
            ):
                yield name, self._attribute_refusal(name)
            case ast.Name(id=name, ctx=ast.Load()) if self._is_python(name) and name not in self._allowed.builtins:
                yield name, _refusal(name)
        if node not in self._inner and isinstance(node, ast.Attribute | ast.Name):
            yield from self._listed(self._meant(node))
        yield from self._activations(node)

    def _inside(self, node: ast.AST) -> Iterator[tuple[str, str]]:
        """Names that lead inside of functions, frames and modules, wherever in the tree they stand."""
        for field, value in ast.iter_fields(node):
            if isinstance(node, ast.Constant) or field in _NOT_NAMES:
                continue
            names = [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, str)]
            for name in (part for text in names for part in text.split(".")):
                is_attribute = field in ("attr", "kwd_attrs")
                if not self._allowed.allows_attribute(name) and (is_attribute or name.endswith("__")):
                    yield name, self._attribute_refusal(name)

    def _attribute_refusal(self, name: str) -> Message:
        return _refusal(name) if self._allowed.leads_past(name) else _looks_inside(name)

    def _listed(self, names: Iterable[str]) -> Iterator[tuple[str, str]]:
        for name in sorted(names):
            known = canonical(name)
            if not self._allowed.allows(known):
                yield known, _refusal(known, self._allowed.is_ready_made(known))

    def _activations(self, node: ast.AST) -> Iterator[tuple[str, str]]:
        """Activations that Keras is to look up by their names, where the exercise is to write one."""
        if isinstance(node, ast.keyword) and node.arg == "activation":
            text: ast.AST | None = node.value
        elif isinstance(node, ast.Call) and node.args:
            called = {canonical(name) for name in self._meant(node.func)}
            text = node.args[0] if called & {"keras.activations.get", "keras.layers.Activation"} else None
        else:
            text = None
        if (
            isinstance(text, ast.Constant)
            and isinstance(text.value, str)
            and self._allowed.is_ready_made(f"keras.activations.{text.value}")
        ):
            yield f"keras.activations.{text.value}", _refusal(f"keras.activations.{text.value}", ready_made=True)

    def _meant(self, node: ast.AST) -> set[str]:
        """The dotted names in libraries that an expression may stand for."""
        attributes: list[str] = []
        while isinstance(node, ast.Attribute):
            attributes.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id in self._bound:
            return set()
        return {".".join([root, *reversed(attributes)]) for root in self._meanings.get(node.id, ())}

    def _matches_itself(self, kind: ast.expr) -> bool:
        """Whether a class is one of Python's own whose one position in a pattern is the value itself."""
        return isinstance(kind, ast.Name) and kind.id in _MATCH_THEMSELVES and self._is_python(kind.id)

    def _is_python(self, name: str) -> bool:
        return name in _PYTHONS and name not in self._bound and name not in self._meanings


def _refusal(name: str, ready_made: bool = False) -> Message:
    """The same as the sandbox says."""
    if ready_made:
        return Message("`{name}` is what this exercise asks you to write", name=name)
    return Message("`{name}` may not be used in an answer", name=name)


def _looks_inside(name: str) -> Message:
    return Message("`{name}` looks inside of Python, which an answer does not", name=name)


def _is_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _place(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _bound_by(node: ast.AST) -> Iterator[str]:
    """Names to which a node gives a value that is no library's."""
    match node:
        case ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Name(id=name, ctx=ast.Store()):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
