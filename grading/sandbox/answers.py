"""What an answer of a student's code may be, so that the grader can take it apart without running out of memory."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from grading.sandbox.errors import BadAnswer
from grading.sandbox.values import Value

_NUMBER = 8  # bytes
_TEXT_OF_A_NUMBER = 128  # what NumPy takes for a number among texts, which is more than for one among objects
_CHARACTER = 4


class _AsArray(NamedTuple):
    """The array that NumPy would make of a value.

    Attributes:
        shape: its shape; None if NumPy would refuse the value as a ragged list.
        item_bytes: the size of one item.
    """

    shape: tuple[int, ...] | None
    item_bytes: int


def check_answer(answer: Value, most_bytes: int) -> None:
    """Refuse an answer of which a part is larger than `most_bytes` as an array.

    All items of an array are as wide as the widest. So `["a" * 20_000] + [""] * 200_000`, which is sent in 1 MiB,
    would be an array of 16 GB. An axis of size 0 counts as 1: no loop over the other axes may take for ever.

    Args:
        answer: a value from the wire, which bounds its length and its depth.
        most_bytes: how large an array may be.

    Raises:
        BadAnswer: a part is larger.
    """
    _as_array(answer, most_bytes)


def _as_array(value: Value, most_bytes: int) -> _AsArray:
    found = _AsArray((), _TEXT_OF_A_NUMBER)
    match value:
        case np.ndarray():
            found = _AsArray(value.shape, value.itemsize)
        case bool() | int() | float():
            found = _AsArray((), _NUMBER)
        case str():
            found = _AsArray((), max(_TEXT_OF_A_NUMBER, _CHARACTER * len(value)))
        case list() | tuple():
            found = _stacked([_as_array(item, most_bytes) for item in value])
        case dict():
            for item in value.values():
                _as_array(item, most_bytes)
    if found.shape is not None:
        size = found.item_bytes * math.prod(max(length, 1) for length in found.shape)
        if size > most_bytes:
            raise BadAnswer(f"a part of the answer has {size:,} bytes as an array; {most_bytes:,} may pass")
    return found


def _stacked(items: list[_AsArray]) -> _AsArray:
    shapes = {item.shape for item in items} or {()}
    inner = shapes.pop()
    shape = None if shapes or inner is None else (len(items), *inner)
    return _AsArray(shape, max((item.item_bytes for item in items), default=_NUMBER))
