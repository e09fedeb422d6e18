"""Keeps NumPy from reading and writing memory at an address that an answer names.

NumPy makes an array of any object with an attribute `__array_interface__`, whose `data` may be a number: an address.
No text can name that attribute, but an answer can put the name into a dictionary, and make a class or a namespace of
that. All code that exists shares one text for the name. Changing its letters in place changes the name for all that
code, and what an answer spells is another.
"""

from __future__ import annotations

import ctypes
import secrets
import sys
from types import SimpleNamespace

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
