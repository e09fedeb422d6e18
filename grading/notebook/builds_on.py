"""Which other exercises a definition builds on: it may fail only because one of them has not passed yet."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterator
from types import CodeType
from typing import Any


def builds_on(implementation: Any, exercises: Collection[str]) -> list[str]:
    """The exercises that a function or class calls, itself or through helpers of the same notebook.

    Args:
        implementation: what a student wrote.
        exercises: names to look for.

    Returns:
        Those of them that it uses, in their order.
    """
    used: set[str] = set()
    unread = list(_functions(implementation))
    namespace = unread[0].__globals__ if unread else {}
    while unread:
        for name in set(_names(unread.pop().__code__)) - used:
            used.add(name)
            if name not in exercises:  # what another exercise builds on is said below its own check
                unread += [one for one in _functions(namespace.get(name)) if one.__globals__ is namespace]
    return [name for name in exercises if name in used]


def _functions(value: Any) -> Iterator[Any]:
    """A function itself, or the methods of a class."""
    for one in vars(value).values() if isinstance(value, type) else [value]:
        function = inspect.unwrap(one) if callable(one) else None
        if inspect.isfunction(function):
            yield function


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
