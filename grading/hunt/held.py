"""The callables in a bundle: functions, classes, and methods of objects that are made for the call."""

from __future__ import annotations

import ast
import contextlib
import importlib
import inspect
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import keras

from grading.release.imports import Module
from grading.storage.files import write_file

_POSITIONAL_ALONE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL)
_ANY_NUMBER = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_ANYTHING = inspect.Parameter("args", inspect.Parameter.VAR_POSITIONAL)
# What a callable without a signature is given at most.
_MOST_UNKNOWN = 6


@dataclass(frozen=True)
class Held:
    """A callable, and for a method the class of the object that it is called on.

    Attributes:
        name: dotted, such as "course.positions.biased_attention".
        text: its syntax tree as text; callables with the same name and text in two bundles are the same.
        value: the function, or the class.
        method: the method to call on an object of the class; "" for a function, and for the class itself.
    """

    name: str
    text: str
    value: Any
    method: str = ""

    @cached_property
    def parameters(self) -> list[inspect.Parameter]:
        """Its parameters; for a method, those of its class's constructor come first."""
        own = _parameters(self.value)
        if not self.method:
            return own
        return [*own, *_parameters(inspect.getattr_static(self.value, self.method))[1:]]

    @cached_property
    def returned(self) -> Any:
        """The annotation of its result."""
        function = inspect.getattr_static(self.value, self.method) if self.method else self.value
        signature = _signature(function)
        return signature.return_annotation if signature and inspect.isroutine(function) else inspect.Parameter.empty

    def call(self, values: Mapping[int, Any], others: Mapping[str, Any]) -> Any:
        """Call it.

        Args:
            values: arguments by the index of their parameter in `parameters`; the others keep their defaults.
            others: further keyword arguments, passed only to a function or class with `**kwargs`.
        """
        if not self.method:
            takes_any = _parameter_of_kind(self.value, inspect.Parameter.VAR_KEYWORD) is not None
            return _call(self.value, _parameters(self.value), values, **(others if takes_any else {}))
        own = _parameters(self.value)
        instance = _call(self.value, own, values)
        name = "__call__" if self.method == "call" else self.method  # a layer is built when it is called
        rest = _parameters(inspect.getattr_static(self.value, self.method))[1:]
        return _call(getattr(instance, name), rest, {place - len(own): value for place, value in values.items()})


def arguments_by_name(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """A call's arguments by name, those of `**kwargs` included."""
    given = dict(inspect.signature(function).bind(*args, **kwargs).arguments)
    anything = _parameter_of_kind(function, inspect.Parameter.VAR_KEYWORD)
    return given | given.pop(anything, {}) if anything else given


def own_parameters(function: Any) -> list[str]:
    """The names of a function's parameters, without `*args` and `**kwargs`."""
    return [
        parameter.name
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind not in _ANY_NUMBER
    ]


def _parameter_of_kind(function: Any, kind: Any) -> str | None:
    return next((one.name for one in _declared(function) if one.kind is kind), None)


def _declared(function: Any) -> list[inspect.Parameter]:
    """The parameters of a callable's signature, or `*args` if it has none."""
    signature = _signature(function)
    return list(signature.parameters.values()) if signature else [_ANYTHING]


def _signature(function: Any) -> inspect.Signature | None:
    """A callable's signature or None; annotations are evaluated if possible."""
    for eval_str in (True, False):
        with contextlib.suppress(Exception):
            return inspect.signature(function, eval_str=eval_str)
    return None


def _call(function: Any, parameters: list[inspect.Parameter], values: Mapping[int, Any], **kwargs: Any) -> Any:
    args = []
    for place, parameter in enumerate(parameters):
        if place in values and parameter.kind in _POSITIONAL_ALONE:
            args.append(values[place])
        elif place in values:
            kwargs[parameter.name] = values[place]
    return function(*args, **kwargs)


def _parameters(function: Any) -> list[inspect.Parameter]:
    """A callable's parameters without `*args` and `**kwargs`; some positional ones if `*args` is all it has."""
    declared = _declared(function)
    named = [parameter for parameter in declared if parameter.kind not in _ANY_NUMBER]
    if named or not any(parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in declared):
        return named
    kind = inspect.Parameter.POSITIONAL_ONLY
    return [inspect.Parameter(f"place_{place}", kind, default=None) for place in range(_MOST_UNKNOWN)]


def definitions(source: str) -> dict[str, ast.stmt]:
    """The functions, classes and methods in a piece of code, by their names in it."""
    found: dict[str, ast.stmt] = {}
    for node in _statements(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = node
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{one.name}": one for one in node.body if isinstance(one, ast.FunctionDef)}
    return found


def _statements(node: ast.Module | ast.If | ast.Try) -> Iterator[ast.stmt]:
    for child in node.body:
        yield child
        if isinstance(child, ast.If | ast.Try):
            yield from _statements(child)


def load(modules: Mapping[str, Module], folder: Path) -> dict[str, ModuleType]:
    """Import a bundle's modules, and leave those of this project in place.

    Args:
        modules: by dotted name.
        folder: where to write them; it must exist as long as they are used.
    """
    for module in modules.values():
        write_file(folder / module.path, module.source)
    importlib.invalidate_caches()
    with _absent(), mock.patch.object(sys, "path", [str(folder), *sys.path]):
        for name in modules:
            importlib.import_module(name)
        return {name: module for name, module in sys.modules.items() if name in modules}


@contextmanager
def in_place(modules: Mapping[str, ModuleType]) -> Iterator[None]:
    """In this block, imports return these modules, including imports inside functions."""
    with _absent():
        sys.modules.update(modules)
        yield


@contextmanager
def _absent() -> Iterator[None]:
    """In this block, no module of this project is imported or can be found; afterwards all is restored."""
    finders = [finder for finder in sys.meta_path if not _is_of_editable_install(finder)]
    with (
        mock.patch.dict(sys.modules),
        mock.patch.object(sys, "meta_path", finders),
        mock.patch.dict(keras.saving.get_custom_objects()),
    ):
        for name in [name for name in sys.modules if name.partition(".")[0] in ("course", "grading")]:
            del sys.modules[name]
        yield


def _is_of_editable_install(finder: Any) -> bool:
    """Whether a finder belongs to an editable install, which finds modules in the project's folder."""
    return getattr(finder, "__module__", "").startswith("__editable__")


def held_in(modules: Mapping[str, ModuleType], sources: Mapping[str, Module]) -> list[Held]:
    """The callables of a bundle's modules, each where it is defined.

    Args:
        modules: the result of `load`.
        sources: the same modules' sources.
    """
    return [
        held
        for name, module in modules.items()
        for place, node in definitions(sources[name].source).items()
        for held in _held(f"{name}.{place}", node, module)
    ]


def _held(name: str, node: ast.stmt, module: ModuleType) -> Iterator[Held]:
    first, _, method = name.removeprefix(f"{module.__name__}.").partition(".")
    value = getattr(module, first, None)
    if not callable(value):
        return
    if not method:
        yield Held(name, ast.dump(node), value)
        return
    of_class = inspect.getattr_static(value, method, None)
    if isinstance(of_class, staticmethod | classmethod):
        yield Held(name, ast.dump(node), getattr(value, method))
    elif inspect.isfunction(of_class) and not method.startswith("__"):
        yield Held(name, ast.dump(node), value, method)
