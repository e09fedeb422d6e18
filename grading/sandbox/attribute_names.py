"""Holds an answer to the names of attributes that its text may have, where it gives a name as a value.

The text of an answer is read for the attributes that it names (`grading.judging.language`). A method such as
`object.__setattr__` or `str.format` is given a name, and some functions of libraries take one as an argument or find it
in an object that an answer has filled. Here all of these refuse what the text could not say.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import importlib.machinery
import string
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from types import (
    BuiltinMethodType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any

import numpy as np

from grading.sandbox.allowlist import LAYOUT, OURS, allowlist
from grading.sandbox.errors import NotAllowed

# Methods that are given a name, and which of their last arguments it is.
_NAME_PLACES = {"__getattr__": 1, "__setattr__": 2, "__delattr__": 1}
_FORMATS = ("format", "format_map")
_RESIZE = "resize"
# Attributes whose values `held` may replace.
HELD = frozenset({*_NAME_PLACES, *_FORMATS, _RESIZE, *LAYOUT})
_FIELDS = "__dataclass_fields__"
# Our own packages; what is imported of them later is guarded as well.
_OWN = frozenset({*OURS, "grading"})
# Modules, and packages with all that is in them, that ask for attributes by names which an answer can give them.
_GUARDED = _OWN.union(
    {
        "dataclasses",
        "enum",
        "keras",
        "pandas",
        "tensorflow.python.util.nest_util",
        "tensorflow.python.data.util.structure",
    },
    {f"tensorflow.core.function.trace_type.{part}" for part in ("default_types", "trace_type_builder")},
)
_KINDS = (BuiltinMethodType, CodeType, FunctionType, MethodType, ModuleType, type)
# Libraries have names with two underscores of their own; these are Python's.
_OF_PYTHON = frozenset({"__dict__", "__loader__", "__spec__", "__wrapped__"}.union(*map(dir, _KINDS)))


def require_name(name: object) -> None:
    """Refuse a name that the text of an answer could not ask for.

    Raises:
        NotAllowed: it leads inside of Python, or is of a class of the answer's own.
    """
    if type(name) is str and not allowlist().allows_attribute(name):
        raise NotAllowed(f"the attribute `{name}` may not be asked for in an answer")
    if isinstance(name, str) and type(name) is not str:
        raise NotAllowed("an attribute's name is a plain text")


def held(value: Any, name: object) -> Any:
    """Return an attribute's value; of a method that is given names of attributes, one that refuses what it must.

    Raises:
        NotAllowed: the value is what resizes an array in place, or changes its layout.
    """
    if name in _NAME_PLACES and callable(value):
        return _with_names(value, _NAME_PLACES[name])
    if name in _FORMATS and _is_method_of(str, value):
        return _with_template(value)
    if name == _RESIZE and _is_method_of(np.ndarray, value):  # another array may still show the memory that it frees
        raise NotAllowed("an answer resizes no array in place; `np.resize` makes another one")
    if name in LAYOUT and type(value) is GetSetDescriptorType and value.__objclass__ is np.ndarray:
        require_settable(np.empty(0), name)
    return value


def require_settable(value: Any, name: object) -> Any:
    """Return the value, of which an attribute is to be set.

    Raises:
        NotAllowed: it is an array, and the attribute its layout.
    """
    if name in LAYOUT and isinstance(value, np.ndarray):
        raise NotAllowed(f"an answer sets no array's `{name}`; `reshape`, `astype` and `view` make another array")
    return value


def _with_names(method: Any, place: int) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        for given in (*args, *kwargs.values()) if kwargs else args[-place:][:1]:
            require_name(given)
            require_settable(args[0] if len(args) > place else getattr(method, "__self__", None), given)
        result = method(*args, **kwargs)
        return held(result, args[-1]) if place == 1 and args and type(args[-1]) is str else result

    return _unconverted(call)


def _is_method_of(kind: type, value: Any) -> bool:
    if type(value) is BuiltinMethodType:
        return isinstance(value.__self__, kind)
    return type(value) is MethodDescriptorType and value.__objclass__ is kind


def _with_template(method: Any) -> Callable[..., str]:
    def call(*args: Any, **kwargs: Any) -> str:
        template = args[0] if type(method) is MethodDescriptorType else method.__self__
        for name in _named_in(str.__str__(template)):
            require_name(name)
        return method(*args, **kwargs)

    return _unconverted(call)


def _unconverted(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which TensorFlow leaves as it is where it converts one that calls it."""
    vars(function)["autograph_info__"] = {}
    return function


def _named_in(template: str) -> Iterator[str]:
    """The attributes that a template asks for."""
    for _, field, inner, _ in string.Formatter().parse(template):
        yield from (field or "").replace("[", ".").split(".")[1:]
        yield from _named_in(inner) if inner else ()


def guard_libraries() -> None:
    """From now on in this process, libraries refuse names that they find in an answer's objects.

    It is called when they have been imported and before classes become immutable.
    """
    cached_property: Any = functools.cached_property
    cached_property.__get__ = _in_its_class(cached_property.__get__)
    vars(copy)["_reconstruct"] = _of_one_class(vars(copy)["_reconstruct"])
    field: Any = dataclasses.Field
    field.name = _field_name(field.name)
    for name, module in list(sys.modules.items()):
        if (name in _GUARDED or name.partition(".")[0] in _GUARDED) and name != __name__:  # it is what guards them
            _guard(module)
    sys.meta_path.insert(0, _GuardedImports())


class _GuardedImports:
    """Finds the modules of our own packages, and guards them before they run."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> Any:
        spec: Any = importlib.machinery.PathFinder.find_spec(name, path) if name.partition(".")[0] in _OWN else None
        if spec is not None and spec.loader is not None:
            run = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                _guard(module)
                run(module)

            spec.loader.exec_module = exec_module
        return spec


def _guard(module: ModuleType) -> None:
    vars(module).update(asking(lambda: _code_of(module)))


def _in_its_class(get: Any) -> Any:
    def __get__(self: Any, instance: Any, owner: type | None = None) -> Any:
        kinds = () if instance is None else type(instance).__mro__
        if instance is not None and not any(vars(kind).get(self.attrname) is self for kind in kinds):
            raise NotAllowed("a cached property is an attribute of the class that it is asked for")
        return get(self, instance, owner)

    return __get__


def _of_one_class(reconstruct: Any) -> Any:
    def _reconstruct(x: Any, memo: Any, make: Any, args: Any, *rest: Any, **options: Any) -> Any:
        def made(*values: Any) -> Any:
            result = make(*values)
            if rest and rest[0] is not None and type(result) is not type(x):
                raise NotAllowed("a copy that is given a state is of the class of what it is a copy of")
            return result

        return reconstruct(x, memo, made, args, *rest, **options)

    return _reconstruct


def _field_name(slot: Any) -> property:
    """A data class's field's name, which `dataclasses` writes into code: a plain one."""

    def read(field: Any) -> Any:
        return slot.__get__(field)

    def write(field: Any, name: Any) -> None:
        if name is not None:
            is_plain = type(name) is str and name.isidentifier() and not name.endswith("__")
            if not is_plain or unicodedata.normalize("NFKC", name) != name:
                raise NotAllowed(f"a field of a dataclass has a plain name, and not {name!r:.60}")
            require_name(name)
        slot.__set__(field, name)

    return property(read, write)


def asking(code: Callable[[], CodeType | None]) -> dict[str, Any]:
    """Functions for a module that asks for attributes by names of its own, and by those that it finds.

    Args:
        code: returns the module's code, in which its own names are looked for once one of them matters.
    """
    own = functools.cache(lambda: frozenset(_texts_in(code())))

    def required(name: Any) -> Any:
        if not isinstance(name, str):
            return name
        plain = str.__str__(name)
        is_library = plain.endswith("__") and plain not in _OF_PYTHON
        if not is_library and not allowlist().allows_attribute(plain) and plain not in own():
            require_name(plain)
        return plain

    def guarded_getattr(value: Any, name: str, *default: Any) -> Any:
        name = required(name)
        found = getattr(value, name, *default)
        if name == _FIELDS and not (default and found is default[0]):
            _require_fields(found)
        return held(found, name)

    def guarded_setattr(value: Any, name: str, new: Any) -> None:
        name = required(name)
        setattr(require_settable(value, name), name, new)

    def guarded_delattr(value: Any, name: str) -> None:
        delattr(value, required(name))

    return {"getattr": guarded_getattr, "setattr": guarded_setattr, "delattr": guarded_delattr}


def _require_fields(fields: Any) -> None:
    for field in dict.values(fields) if type(fields) is dict else [fields]:
        if type(field) is not dataclasses.Field:
            raise NotAllowed(f"a field of a dataclass is made by `dataclasses.field`, and not a {type(field).__name__}")


def _code_of(module: ModuleType) -> CodeType | None:
    try:
        return module.__spec__.loader.get_code(module.__name__)  # type: ignore[union-attr]
    except (AttributeError, ImportError):  # a part of a library that is compiled, or whose text has been taken away
        return None


def _texts_in(value: Any) -> Iterator[str]:
    """The texts that stand in a module's code."""
    if isinstance(value, str):
        yield value
    for item in (
        value.co_consts if isinstance(value, CodeType) else value if isinstance(value, tuple | frozenset) else ()
    ):
        yield from _texts_in(item)
