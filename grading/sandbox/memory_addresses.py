"""Keeps NumPy from reading and writing memory at an address that an answer names, or that an array has no more.

NumPy makes an array of any object with an attribute `__array_interface__`, whose `data` may be a number: an address.
No text can name that attribute, but an answer can put the name into a dictionary, and make a class or a namespace of
that. All code that exists shares one text for the name. Changing its letters in place changes the name for all that
code, and what an answer spells is another.

What NumPy's class of arrays does can be asked of each array, whatever the text of an answer names, so it is changed in
the class itself.
"""

from __future__ import annotations

import ctypes
import secrets
import sys
from types import SimpleNamespace
from typing import Any

from grading.sandbox.errors import NotAllowed
from grading.sandbox.frozen_classes import changeable, make_of

_NAME = "__array_" + "interface__"  # put together, so that this file does not have NumPy's own text


def refuse_addresses() -> None:
    """Give NumPy's attribute a name that nobody knows.

    Raises:
        RuntimeError: this Python or NumPy keeps the name elsewhere.
    """
    import numpy as np

    text = sys.intern(str(_NAME))
    start = id(text) + sys.getsizeof(text) - len(text) - 1
    if ctypes.string_at(start, len(text)) == text.encode():
        unknown = f"{secrets.token_hex(len(text))[2 : len(text)]}__"  # with its end, no answer may ask for it
        ctypes.memmove(start, unknown.encode(), len(text))
    held = np.zeros(1)
    spelled = "_".join(["", "", "array", "interface", "", ""])
    interface = {"data": (held.ctypes.data, False), "shape": (1,), "typestr": "<f8", "version": 3}
    if np.asarray(SimpleNamespace(**{spelled: interface})).dtype != object:
        raise RuntimeError("NumPy still takes addresses from other objects")


def guard_arrays() -> None:
    """From now on in this process, no array takes numbers for objects or frees memory that another one shows.

    Raises:
        RuntimeError: this Python keeps what makes an object of a class elsewhere.
    """
    import numpy as np

    array: Any = np.ndarray
    make, set_state = make_of(array), array.__setstate__

    def __new__(kind: type, shape: Any, dtype: Any = float, buffer: Any = None, *args: Any, **options: Any) -> Any:
        dtype = np.dtype(dtype)
        if buffer is not None and dtype.hasobject:  # each number would be the address of an object
            raise NotAllowed("an array of objects is made of no other memory in an answer")
        return make(kind, (shape, dtype, buffer, *args), options)

    def __setstate__(self: Any, state: Any) -> None:
        if self.size:  # another array may still show the memory that it frees
            raise NotAllowed("an array that has numbers takes no others' state in an answer")
        set_state(self, state)

    with changeable(array):
        array.__new__ = staticmethod(__new__)
        array.__setstate__ = __setstate__
    _guard_generator()
    try:
        np.ndarray((1,), object, np.zeros(1))
    except NotAllowed:
        return
    raise RuntimeError("NumPy still takes numbers for objects")


def _guard_generator() -> None:
    """Keep NumPy's older generator of random numbers from reading past its own."""
    import numpy as np

    generator: Any = type(np.random.RandomState(0)._bit_generator)
    state_of = generator.state

    def set_state(self: Any, new: Any) -> None:
        before = state_of.__get__(self)
        state_of.__set__(self, new)
        if not 0 <= state_of.__get__(self)["state"]["pos"] <= len(before["state"]["key"]):
            state_of.__set__(self, before)
            raise NotAllowed("a random generator's place is one of its own numbers")

    with changeable(generator):
        generator.state = property(state_of.__get__, set_state)
