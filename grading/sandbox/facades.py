"""What an answer sees of Python and of libraries: modules that show the allowed names and no others.

The text of an answer has been read before (`grading.judging.language`), so that nothing in it looks behind these.
"""

from __future__ import annotations

import builtins
import contextlib
import dataclasses
import functools
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import FunctionType, ModuleType
from typing import Any, ClassVar, NoReturn
from unittest import mock

from grading.sandbox.allowlist import OURS, Allowlist, allowlist, canonical, refusal
from grading.sandbox.attribute_names import held, require_name, require_settable
from grading.sandbox.errors import NotAllowed
from grading.sandbox.guarded_attributes import FacadeModule, guards, not_a_module, transpiler
from grading.sandbox.ready_made import disarmed, operations_of


def _signature(function: Any) -> inspect.Signature:
    return inspect.signature(function)  # and no more: it could be told to evaluate annotations that are texts


def _wraps(wrapped: Any, *others: Any, **options: Any) -> Any:
    """As `functools.wraps`, for functions; from another object it takes over no attributes but the usual ones."""
    if others or options:
        raise NotAllowed("`functools.wraps` takes over no attributes but the usual ones in an answer")
    updated = functools.WRAPPER_UPDATES if type(wrapped) is FunctionType else ()

    def onto(wrapper: Any) -> Any:
        if type(wrapper) is not FunctionType:
            raise NotAllowed("`functools.wraps` makes a function like another one in an answer, and no other object")
        return functools.update_wrapper(wrapper, wrapped, updated=updated)

    return onto


def _dataclass(kind: type | None = None, /, **options: Any) -> Any:
    """As `dataclasses.dataclass`, which would not know its own marks, such as `typing.ClassVar`, in a facade."""
    if kind is None:
        return functools.partial(_dataclass, **options)
    if not issubclass(type(kind), type):
        raise NotAllowed(f"a dataclass is made of a class, and not of a {type(kind).__name__}")
    annotations = vars(kind).get("__annotations__")
    if type(annotations) is dict:
        asker = sys._getframe(1)
        names = {**asker.f_globals, **asker.f_locals}
        marks = {field: _mark(text, names) for field, text in annotations.items() if type(text) is str}
        annotations.update({field: mark for field, mark in marks.items() if mark})
    return dataclasses.dataclass(kind, **options)


def _mark(annotation: str, names: Mapping[str, Any]) -> Any:
    """What `dataclasses` takes for no field, or for the beginning of others, if an annotation's text names it."""
    first, *attributes = (part.strip() for part in annotation.partition("[")[0].split("."))
    value = names.get(first)
    with contextlib.suppress(NotAllowed, ImportError):
        for attribute in attributes:
            value = getattr(value, attribute) if isinstance(value, FacadeModule) else None
        return next((mark for mark in (ClassVar, dataclasses.InitVar, dataclasses.KW_ONLY) if value is mark), None)


_INSTEAD = {"dataclasses.dataclass": _dataclass, "functools.wraps": _wraps, "inspect.signature": _signature}
_UNDERSTOOD = (*OURS, "builtins", "collections", "functools", "re", "types", "numpy")


def builtins_for(allowed: Allowlist) -> dict[str, Any]:
    """Python's own names for an answer: its `__builtins__`."""
    given = {name: getattr(builtins, name) for name in allowed.builtins}
    return {
        **given,
        "__build_class__": builtins.__build_class__,
        "__name__": "builtins",
        **_guarded(allowed),
        **guards(),
    }


def _guarded(allowed: Allowlist) -> dict[str, Any]:
    facades = _Facades(allowed)

    def guarded_getattr(value: Any, name: str, *default: Any) -> Any:
        require_name(name)
        return held(not_a_module(getattr(not_a_module(value), name, *default)), name)

    def guarded_hasattr(value: Any, name: str) -> bool:
        require_name(name)
        return hasattr(not_a_module(value), name)

    def guarded_setattr(value: Any, name: str, new: Any) -> None:
        require_name(name)
        setattr(require_settable(not_a_module(value), name), name, new)

    def guarded_dir(*value: Any) -> list[str]:
        names = dir(*value) if value else sorted(sys._getframe(1).f_locals)
        return [name for name in names if allowed.allows_attribute(name)]

    def guarded_delattr(value: Any, name: str) -> None:
        require_name(name)
        delattr(not_a_module(value), name)

    return {
        "getattr": guarded_getattr,
        "hasattr": guarded_hasattr,
        "setattr": guarded_setattr,
        "delattr": guarded_delattr,
        "dir": guarded_dir,
        "__import__": facades.imported,
    }


@contextlib.contextmanager
def allowed_alone(allowed: Allowlist | None) -> Iterator[None]:
    """In this block, libraries do for everybody only what is allowed; all if that is None.

    Keras makes nothing else of configurations, with a public name or without; what the exercise asks for raises
    NotAllowed; and functions that TensorFlow converts stay guarded.
    """
    if allowed is None or "keras" not in sys.modules:  # in the sandbox it always is: answers start with it imported
        yield
        return
    from keras.src import api_export
    from keras.src.saving import serialization_lib

    find = serialization_lib._retrieve_class_or_fn

    def find_allowed(*args: Any, **kwargs: Any) -> Any:
        found = find(*args, **kwargs)
        name = api_export.get_name_from_symbol(found) or _unexported(found, allowed)
        if name is not None and not allowed.allows(name):
            raise NotAllowed(refusal(name, allowed.is_ready_made(name)))
        return found

    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.object(serialization_lib, "_retrieve_class_or_fn", find_allowed))
        if api := sys.modules.get("tensorflow.python.autograph.impl.api"):
            stack.enter_context(mock.patch.object(api, "_TRANSPILER", transpiler()))
        # The sandbox has taken away for good what no exercise of its chapter may use.
        stack.enter_context(disarmed(name for name in allowed.ready_made if allowlist().allows(name)))
        yield


def _unexported(found: Any, allowed: Allowlist) -> str | None:
    """The full name of what Keras has for itself alone, except where models are made of it that may be made."""
    import keras
    from keras.src.models.functional import Functional

    if not str(getattr(found, "__module__", "")).startswith("keras") or found is Functional:
        return None
    for module in (keras.ops, keras.activations):
        names = (name for name in dir(module) if allowed.has_name(f"keras.{module.__name__.rpartition('.')[2]}", name))
        if any(found in operations_of(getattr(module, name)) for name in names):
            return None
    return f"{found.__module__}.{found.__name__}"


class _Facades:
    """The modules that an answer may import, each once."""

    def __init__(self, allowed: Allowlist) -> None:
        self._allowed = allowed
        self._made: dict[str, ModuleType] = {}

    def imported(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """As `__import__`: the module itself where names are taken from it, else the package that it is in."""
        if isinstance(fromlist, list):  # a library's compiled code, which then takes the module from `sys.modules`
            importlib.import_module(name)
            return ModuleType(name)
        if level:
            raise NotAllowed("an answer stands in no package, so it cannot import from one by dots")
        if not self._allowed.has_module(canonical(name)):
            raise NotAllowed(refusal(name, self._allowed.is_ready_made(canonical(name))))
        module = self.of(name)
        if not fromlist:
            return self.of(name.partition(".")[0])
        for part in fromlist if name in OURS else ():  # of a package, names may be modules that nobody has imported
            if importlib.util.find_spec(f"{name}.{part}"):
                importlib.import_module(f"{name}.{part}")
        return module

    def of(self, name: str) -> ModuleType:
        """The facade of a module."""
        if name not in self._made:
            self._made[name] = _facade(name, _module(name), self._allowed, self)
        return self._made[name]


def _module(name: str) -> ModuleType:
    """The module of that name; TensorFlow has some that are there as attributes alone."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        package, _, last = name.rpartition(".")
        module = getattr(_module(package), last, None) if package else None
        if not isinstance(module, ModuleType):
            raise
        return module


def _facade(name: str, module: ModuleType, allowed: Allowlist, facades: _Facades) -> ModuleType:
    known = canonical(name)

    class Facade(FacadeModule):
        """Shows what is allowed of a module."""

        def __getattr__(self, attribute: str) -> Any:
            inner = f"{name}.{attribute}"
            if attribute == "__all__":
                return [word for word in dir(module) if not word.startswith("_") and allowed.has_name(known, word)]
            if attribute == "__path__":
                raise AttributeError(attribute)
            if not allowed.has_name(known, attribute) and not allowed.has_module(canonical(inner)):
                # No AttributeError: at that, `from` would look for a module of the name.
                raise NotAllowed(refusal(inner, allowed.is_ready_made(f"{known}.{attribute}")))
            value: Any = _INSTEAD.get(inner, getattr(module, attribute, None))
            is_ours = known.partition(".")[0] in OURS
            if isinstance(value, ModuleType):
                if is_ours and value.__name__ != inner:
                    raise NotAllowed(refusal(inner, ready_made=False))
                value = facades.of(inner)
            elif not hasattr(module, attribute):
                raise ImportError(f"cannot import name {attribute!r} from {name!r}")
            elif is_ours and not _is_ours(value):
                raise NotAllowed(refusal(inner, ready_made=False))
            ModuleType.__setattr__(self, attribute, value)
            return value

        def __setattr__(self, attribute: str, value: Any) -> NoReturn:
            raise NotAllowed(f"an answer changes nothing in a library, but sets `{name}.{attribute}`")

        def __delattr__(self, attribute: str) -> NoReturn:
            raise NotAllowed(f"an answer changes nothing in a library, but deletes `{name}.{attribute}`")

    return Facade(name)


def _is_ours(value: Any) -> bool:
    """Whether a value that stands in a module of the course is its own, and nothing that it has imported."""
    owner = value if isinstance(value, type | FunctionType) or hasattr(value, "__wrapped__") else type(value)
    return str(owner.__module__).partition(".")[0] in _UNDERSTOOD
