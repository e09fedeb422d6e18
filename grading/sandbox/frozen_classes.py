"""Makes the classes of Python and of libraries immutable: no answer can put a method of its own into one.

An answer has no module in hand (see `facades`), but from any object it can come to its class. What a class does is what
the grader asks of a process by other means than values, such as to compile a function or to save a layer. CPython keeps
its own classes immutable by a flag; this sets the same flag on all that exist.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator

_IMMUTABLE = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE
_WORD = ctypes.sizeof(ctypes.c_ulong)


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
