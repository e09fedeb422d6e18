"""What a student's function is given stays as it was: lists, dictionaries and arrays are the caller's own."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from grading.sandbox.errors import BadAnswer


class Membership:
    """An argument that only answers `item in membership`: it has neither a length nor an order.

    Args:
        items: all that it contains.
    """

    def __init__(self, items: Iterable[str]) -> None:
        self._items = frozenset(items)

    def __contains__(self, item: object) -> bool:
        return item in self._items


def require_unchanged(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Callable[[], None]:
    """Remembers what a function is about to be given.

    Returns:
        A function to be called afterwards. It raises a BadAnswer that names the argument that is not as it was.
    """
    before = _copied([args, kwargs])

    def require() -> None:
        if _is_same(before, [args, kwargs]):
            return
        names, were = (*_names(function, len(args)), *kwargs), (*before[0], *before[1].values())
        for name, was, value in zip(names, were, (*args, *kwargs.values()), strict=True):
            if not _is_same(was, value):
                kind = {dict: "dictionary", np.ndarray: "array"}.get(type(value), "list")
                raise BadAnswer(
                    f"changed the {kind} that it was given as {name}; wanted it left as it was, for its owner"
                )

    return require


def _names(function: Any, count: int) -> list[str]:
    """What the first arguments of a function are called."""
    try:
        names = list(inspect.signature(getattr(function, "call", function)).parameters)  # a layer's own `call`
    except (TypeError, ValueError):  # it need not have a signature
        names = []
    return [names[place] if place < len(names) else "one of its arguments" for place in range(count)]


def _copied(value: Any) -> Any:
    """The same, so far as it can be changed; all else is there once."""
    if type(value) is np.ndarray:
        return value.copy()
    if type(value) in (list, tuple):
        return [_copied(item) for item in value]
    if type(value) is dict:
        return {key: _copied(item) for key, item in value.items()}
    return value


def _is_same(before: Any, value: Any) -> bool:
    match before, value:
        case np.ndarray(), np.ndarray():
            return value.shape == before.shape and value.tobytes() == before.tobytes()
        case list(), list() | tuple():
            return len(value) == len(before) and all(map(_is_same, before, value))
        case dict(), dict():
            return list(value) == list(before) and all(_is_same(before[key], item) for key, item in value.items())
    return value is before
