"""Makes the classes of Python and of libraries immutable: no answer can put a method of its own into one.

An answer has no module in hand (see `facades`), but from any object it can come to its class. What a class does is what
the grader asks of a process by other means than values, such as to compile a function or to save a layer. CPython keeps
its own classes immutable by a flag; this sets the same flag on all that exist.
"""

from __future__ import annotations

import contextlib
import ctypes
import sys
from collections.abc import Callable, Iterator
from typing import Any

_IMMUTABLE = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE
_WORD = ctypes.sizeof(ctypes.c_ulong)
_WORDS_TO_NEW = 18  # from tp_flags to tp_new


def freeze_classes() -> None:
    """Make all classes that exist immutable.

    Raises:
        RuntimeError: this Python keeps a class's flags elsewhere than the ones that the course supports.
    """
    offset = _offset_of_flags()
    for kind in set(_classes(object)):
        flags = ctypes.c_ulong.from_address(id(kind) + offset)
        flags.value |= _IMMUTABLE
    try:
        Sample.changed = True  # type: ignore[attr-defined]
    except TypeError:
        return
    raise RuntimeError("classes cannot be made immutable in this Python")


@contextlib.contextmanager
def changeable(kind: type) -> Iterator[None]:
    """Let a class of Python's or a library's be changed within the block."""
    flags = ctypes.c_ulong.from_address(id(kind) + _offset_of_flags())
    was_immutable = flags.value & _IMMUTABLE
    flags.value &= ~_IMMUTABLE
    try:
        yield
    finally:
        flags.value |= was_immutable  # a change has changed other flags


def make_of(kind: type) -> Callable[[type, tuple[Any, ...], dict[str, Any]], Any]:
    """Return what makes the objects of a compiled class, which can be called when its `__new__` is another."""
    place = ctypes.c_void_p.from_address(id(kind) + _offset_of_flags() + _WORDS_TO_NEW * _WORD)
    assert place.value is not None
    return ctypes.PYFUNCTYPE(ctypes.py_object, *[ctypes.py_object] * 3)(place.value)


class Sample:
    """On which the flags are looked for, and then tried."""


def _offset_of_flags() -> int:
    """Where the flags of a class stand in it, found by their value."""
    kinds = (Sample, int, dict, type, Exception)
    for offset in range(0, sys.getsizeof(int), _WORD):
        if all(ctypes.c_ulong.from_address(id(kind) + offset).value == kind.__flags__ for kind in kinds):
            return offset
    raise RuntimeError("the flags of a class are not found in this Python")


def _classes(kind: type) -> Iterator[type]:
    waiting, seen = [kind], {kind}
    while waiting:
        current = waiting.pop()
        yield current
        inner: type
        for inner in type.__subclasses__(current):
            if inner not in seen:
                seen.add(inner)
                waiting.append(inner)
