"""What an exercise's docstring calls its arguments and their axes, so that observations speak as the lesson does."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from grading.judging.exercise import Exercise

_SHAPE = re.compile(r"\(((?:\.\.\.|[a-z_]\w*|\d+)(?:, (?:\.\.\.|[a-z_]\w*|\d+))*,?)\)")
_ENTRY = re.compile(r"^ {4}(?: {4})?([a-z_][\w, ]*): ", re.MULTILINE)

_SECTION = r"\n(?:Returns|Yields|Raises|Example|Reference)s?:"


@cache
def _described(definition: Any) -> tuple[list[str], dict[str, tuple[str, ...]], list[tuple[str, ...]]]:
    """The names of its arguments, the axes of each, and those of what it returns."""
    function = getattr(definition, "call", None) if isinstance(definition, type) else definition
    function = function or definition.__call__
    names = [name for name in inspect.signature(function).parameters if name != "self"]
    doc = inspect.getdoc(function) or ""
    arguments = {}
    given = re.split(_SECTION, doc.partition("Args:")[2])[0]
    returned = re.split(_SECTION, doc.partition("Returns:")[2])[0]
    entries = list(_ENTRY.finditer(given))
    for entry, after in zip(entries, [*entries[1:], None], strict=True):
        text = given[entry.end() : after.start() if after else None]
        if found := _SHAPE.search(text):
            for name in re.split(r", ", entry[1]):
                arguments[name] = _axes(found[1])
    return names, arguments, [_axes(found[1]) for found in _SHAPE.finditer(returned)]


def _axes(text: str) -> tuple[str, ...]:
    return tuple(text.rstrip(",").split(", "))


def argument_name(exercise: Exercise, place: str) -> str:
    """What the argument at a place of a call (`places_of`) is called."""
    number, _, key = place.partition(".")
    if key:
        return key
    if not number.isdecimal():
        return place
    names = _described(exercise.reference)[0]
    return names[int(number)] if int(number) < len(names) else f"argument {number}"


def axes_of(exercise: Exercise, argument: str, ndim: int) -> list[str]:
    """What the axes of an argument are called, "" where the docstring does not say."""
    axes = _described(exercise.reference)[1].get(argument, ())
    return _fitted(axes, ndim)


def axes_returned(exercise: Exercise, ndim: int, place: int | None) -> list[str]:
    """What the axes of what is returned are called; of several values, where they tell which is which.

    Args:
        exercise: whose docstring says so.
        ndim: how many axes there are.
        place: which of a few values it is; None for one alone, or for what is not known.
    """
    shapes = _described(exercise.reference)[2]
    if place is not None and place < len(shapes):
        return _fitted(shapes[place], ndim)
    fitting = {tuple(_fitted(axes, ndim)) for axes in shapes} - {("",) * ndim}
    return list(fitting.pop()) if len(fitting) == 1 else [""] * ndim


def _fitted(axes: tuple[str, ...], ndim: int) -> list[str]:
    """The names of so many axes; where "..." stands for some in front, these have none."""
    if axes and axes[0] == "...":
        named = axes[1:][-ndim:] if ndim else ()
        return [""] * (ndim - len(named)) + list(named)
    return [axis if not axis.isdecimal() else "" for axis in axes] if len(axes) == ndim else [""] * ndim


def sizes_of(exercise: Exercise, inputs: Mapping[str, Any]) -> dict[str, int]:
    """How large the named axes of what was given are."""
    sizes: dict[str, int] = {}
    for name, value in inputs.items():
        if isinstance(value, np.ndarray):
            for axis, size in zip(axes_of(exercise, name, value.ndim), value.shape, strict=True):
                if axis:
                    sizes.setdefault(axis, size)
    return sizes
