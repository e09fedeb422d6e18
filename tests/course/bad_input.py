"""Shared by the tests of bad input: rows of bad calls, and which functions need one."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import Any

import pytest

# The name of a function, a call of it with bad input, and a pattern that its error matches.
Row = tuple[str, Callable[..., Any], str]


def parameters(rows: Sequence[Row]) -> list[Any]:
    """Return the call and the pattern of each row, for `pytest.mark.parametrize`."""
    return [pytest.param(*row[1:], id=f"{row[0]} {number}") for number, row in enumerate(rows)]


def public_names(modules: Iterable[ModuleType]) -> set[str]:
    """Return the names of the public functions and classes that these modules define."""
    return {
        name
        for module in modules
        for name, value in vars(module).items()
        if getattr(value, "__module__", None) == module.__name__
        and (inspect.isroutine(value) or inspect.isclass(value) or hasattr(value, "__wrapped__"))
        and not name.startswith(("_", "require_"))
    }
