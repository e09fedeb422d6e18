"""Takes ready-made answers away: `keras.layers.MultiHeadAttention` where a student must write that layer.

Before the sandbox starts, `source_files` says which files hold such an answer; the sandbox shows empty ones in their
place. Inside, `SourceImporter` imports these modules once from text that came with the start, and `disarm` then
replaces the code of the answer itself. Nothing here runs a TensorFlow operation.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

# What else would give the same answer away.
_LEADS_TO = {
    "keras.layers.MultiHeadAttention": ("keras.layers.GroupQueryAttention", "keras.ops.dot_product_attention"),
    "keras.layers.Attention": tuple(
        # TensorFlow keeps an old Keras for itself.
        f"tensorflow.python.keras.layers.dense_attention.{name}"
        for name in ("Attention", "AdditiveAttention", "BaseDenseAttention")
    ),
}
_BACKENDS = ("tensorflow", "jax", "torch", "numpy", "openvino")


def source_files(names: Iterable[str]) -> dict[str, Path]:
    """The modules that define these answers, found without importing them.

    Args:
        names: dotted names, as students would write them.

    Returns:
        The name of each module, and its file.
    """
    modules = {}
    for name in _all(names):
        package, _, attribute = name.rpartition(".")
        module = _defining_module(package, attribute)
        if module is not None:
            modules[module] = _file(module)
            for twin in _backend_twins(module):
                modules[twin] = _file(twin)
    return {module: path for module, path in modules.items() if path is not None}


def disarm(names: Iterable[str]) -> None:
    """Makes these answers raise NotAllowed, wherever they have already been imported to."""
    for name in _all(names):
        if importlib.util.find_spec(name.partition(".")[0]) is None:
            continue  # what is not installed need not be taken away
        for function in list(_functions(_resolve(name))):  # with its code, which says what else it calls
            refusal = _refusal(name)
            # A function keeps its closure, so its new code must name the same variables.
            function.__code__ = refusal.replace(co_freevars=function.__code__.co_freevars)


@contextlib.contextmanager
def disarmed(names: Iterable[str]) -> Iterator[None]:
    """In this block, these answers raise NotAllowed, by whatever name and through whatever function they are called.

    Args:
        names: of functions, of classes, or of modules for all that they have.
    """
    before = []
    try:
        for name in names:
            for function in _functions_of(name):
                before.append((function, function.__code__))
                function.__code__ = _refusal(name).replace(co_freevars=function.__code__.co_freevars)
        yield
    finally:
        for function, code in reversed(before):
            function.__code__ = code


@functools.cache
def _functions_of(name: str) -> list[types.FunctionType]:
    answer = _resolve(name)
    parts = [answer]
    if isinstance(answer, types.ModuleType):
        # The class of all layers is no answer, and whatever a student writes is one.
        parts = [part for word, part in vars(answer).items() if not word.startswith("_") and word != "Layer"]
    return [function for part in parts if callable(part) for function in _functions(part)]


def _refusal(name: str) -> types.CodeType:
    """The code of a function that raises NotAllowed, whatever it is given."""

    def refuse(self: Any = None, *args: Any, **kwargs: Any) -> None:
        # It runs among the names of another module, so it imports what it raises.
        from grading.sandbox.errors import NotAllowed

        raise NotAllowed("NAME is what this exercise asks you to write")

    code = refuse.__code__
    constants = (part.replace("NAME", name) if isinstance(part, str) else part for part in code.co_consts)
    return code.replace(co_consts=tuple(constants))


class SourceImporter(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Imports modules from text, while it stands in `sys.meta_path`.

    Args:
        sources: the name of each module and its text.
    """

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._sources = dict(sources)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname not in self._sources:
            return None
        return importlib.util.spec_from_loader(fullname, self)

    def get_source(self, fullname: str) -> str:
        if fullname not in self._sources:
            raise ImportError(f"the source of {fullname} is not shown")
        return self._sources[fullname]

    def __enter__(self) -> SourceImporter:
        sys.meta_path.insert(0, self)
        return self

    def __exit__(self, *_: object) -> None:
        sys.meta_path.remove(self)
        self._sources.clear()  # the modules still refer to this loader


def _all(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(each for name in names for each in (name, *_LEADS_TO.get(name, ()))))


def _backend_twins(module: str) -> list[str]:
    """keras.src.ops.nn hands its work to keras.src.backend.<backend>.nn."""
    prefix, _, last = module.rpartition(".")
    return [f"keras.src.backend.{name}.{last}" for name in _BACKENDS] if prefix == "keras.src.ops" else []


def _file(module: str) -> Path | None:
    """The file of a module, found from its top-level package's folder."""
    package, *parts = module.split(".")
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    path = Path(spec.submodule_search_locations[0], *parts)
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


def _defining_module(module: str, attribute: str) -> str | None:
    """Follows `from ... import attribute` to the module that defines it."""
    file = _file(module)
    if file is None:
        return None
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == attribute:
            return module
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                if (alias.asname or alias.name) == attribute:
                    return _defining_module(node.module, alias.name)
    return None


def _resolve(name: str) -> Any:
    """The object of that name, imported as far as its name is a module's."""
    parts = name.split(".")
    value: Any = importlib.import_module(parts[0])
    for position, part in enumerate(parts[1:], 2):
        # TensorFlow deletes the names of its inner packages, which can be imported all the same.
        has_it = hasattr(value, part)
        value = getattr(value, part) if has_it else importlib.import_module(".".join(parts[:position]))
    return value


def _functions(answer: Any) -> Iterator[types.FunctionType]:
    """Every function whose code makes up an answer: a function, or the methods of a class."""
    if isinstance(answer, type):
        for member in vars(answer).values():
            parts = (member.fget, member.fset) if isinstance(member, property) else (member,)
            for part in parts:
                yield from _unwrapped(part)
        return
    yield from _unwrapped(answer)
    for part in [*operations_of(answer), *_private_parts(answer)]:
        yield from _functions(part)
    module, name = answer.__module__, answer.__name__
    for twin in _backend_twins(module):
        if twin in sys.modules and hasattr(sys.modules[twin], name):
            yield from _unwrapped(getattr(sys.modules[twin], name))


def operations_of(answer: Any) -> list[type]:
    """The classes behind a function of Keras, which give the same answer: those that its code names, and its own.

    `layer_normalization` makes a `LayerNorm`; `abs` hands its work to `absolute`, but there is an `Abs`.
    """
    if "keras" not in sys.modules:
        return []
    import keras
    from keras.src.ops.operation import Operation

    found = []
    for function in _unwrapped(answer):
        camel = "".join(word.capitalize() for word in function.__name__.split("_"))
        found += [function.__globals__.get(name) for name in (*function.__code__.co_names, camel)]
    kinds = dict.fromkeys(kind for kind in found if isinstance(kind, type) and issubclass(kind, Operation))
    return [kind for kind in kinds if not issubclass(kind, keras.Layer)]  # which whatever a student writes may be


def _private_parts(answer: Any) -> Iterator[types.FunctionType]:
    """What a function and its operation hand their work to in their own module: `_layer_normalization`."""
    for function in _unwrapped(answer):
        part = function.__globals__.get(f"_{function.__name__}")
        if isinstance(part, types.FunctionType) and part.__module__ == function.__module__:
            yield part


def _unwrapped(member: Any) -> Iterator[types.FunctionType]:
    """The function inside classmethods, staticmethods and decorators, and each of these around it."""
    member = getattr(member, "__func__", member)
    while member is not None:
        if isinstance(member, types.FunctionType):
            yield member
        member = getattr(member, "__wrapped__", None)
