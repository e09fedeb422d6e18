"""Finds what a definition builds on: other exercises, which may be why it fails, and the student's own helpers."""

from __future__ import annotations

import dis
import inspect
from collections.abc import Collection, Iterator
from types import CodeType
from typing import Any


def builds_on(implementation: Any, exercises: Collection[str]) -> list[str]:
    """The exercises that a function or class calls, itself or through helpers of the same notebook.

    Args:
        implementation: a student's function or class.
        exercises: names to look for.

    Returns:
        The names that it uses, in the order given.
    """
    used = _used(implementation, exercises)
    return [name for name in exercises if name in used]


def helpers_of(implementation: Any, exercises: Collection[str]) -> dict[str, Any]:
    """The functions and classes of the same notebook that a definition uses, by name, except the exercises."""
    used = _used(implementation, exercises)
    return {name: value for name, value in used.items() if name not in exercises and _is_of_notebook(value)}


def _used(implementation: Any, exercises: Collection[str]) -> dict[str, Any]:
    """The value of each name that a definition uses, itself or through helpers; None for an undefined name."""
    used: dict[str, Any] = {}
    unread = list(_functions(implementation))
    namespace = unread[0].__globals__ if unread else {}
    while unread:
        for name in set(_names(unread.pop().__code__)) - used.keys():
            used[name] = namespace.get(name)
            if name not in exercises:  # the card of another exercise says on what that one builds
                unread += [function for function in _functions(used[name]) if function.__globals__ is namespace]
    return used


def _is_of_notebook(value: Any) -> bool:
    return (inspect.isfunction(value) or isinstance(value, type)) and value.__module__ == "__main__"


def _functions(value: Any) -> Iterator[Any]:
    """A function itself, or the methods of a class."""
    for one in vars(value).values() if isinstance(value, type) else [value]:
        function = inspect.unwrap(one) if callable(one) else None
        if inspect.isfunction(function):
            yield function


def _names(code: CodeType) -> Iterator[str]:
    """The global names that code reads; `co_names` holds those of attributes, too."""
    for instruction in dis.get_instructions(code):
        if instruction.opname in {"LOAD_GLOBAL", "LOAD_NAME"}:
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
