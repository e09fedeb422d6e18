"""Answers taken apart: each array, text or number of a wrong one beside that which was wanted in its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from grading.judging.comparison import compare


@dataclass(frozen=True, eq=False)
class Pair:
    """A part of an answer that differs from what was wanted.

    Attributes:
        name: its key in a dictionary, or "the second value" of a few; "" for what has none.
        given: the student's.
        wanted: the reference's.
        tolerance: that of the check.
        sizes: how large what was given and returned is, by the names of the axes.
        inputs: what the student's code was called with, by name.
        axes: what its axes are called, "" for those without a name; none where it is not known.
    """

    name: str
    given: Any
    wanted: Any
    tolerance: float
    sizes: dict[str, int] = field(default_factory=dict)
    inputs: dict[str, Any] = field(default_factory=dict)
    axes: list[str] = field(default_factory=list)

    def agree(self, given: Any, wanted: Any) -> bool:
        """Whether two values are the same to within the tolerance of the check."""
        return compare(given, wanted, self.tolerance) is None

    @property
    def numbers(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Both as finite float64 numbers, in whatever shapes; None where they are no such arrays."""
        arrays = [numbers_of(value) for value in (self.given, self.wanted)]
        if any(array is None or not np.isfinite(array).all() for array in arrays):
            return None
        given, wanted = arrays
        return given, wanted  # type: ignore[return-value]


def is_float(value: np.ndarray) -> bool:
    """Whether it has fractions; NumPy counts bfloat16 among no kind that it knows."""
    return value.dtype.kind == "f" or "float" in value.dtype.name


def numbers_of(value: Any) -> np.ndarray | None:
    """A number or an array of numbers or truth values as float64; None for all else."""
    if isinstance(value, bool | int | float):
        return np.asarray(value, "float64")
    if isinstance(value, np.ndarray) and (value.dtype.kind in "biu" or is_float(value)):
        return value.astype("float64")
    return None


ORDINALS = ("the first value", "the second value", "the third value")


def parts(given: Any, wanted: Any, name: str = "") -> Iterator[tuple[str, Any, Any]]:
    """The parts of two answers side by side; an answer of another form is one part."""
    if isinstance(wanted, dict) and isinstance(given, dict) and wanted.keys() <= given.keys():
        for key, value in wanted.items():
            yield from parts(given[key], value, key)
    elif _is_list(wanted) and _is_list(given) and len(given) == len(wanted) and not _is_text(wanted):
        names = ORDINALS if len(wanted) <= len(ORDINALS) else [""] * len(wanted)
        for ordinal, one, other in zip(names, given, wanted, strict=False):
            yield from parts(one, other, name or ordinal)
    else:
        yield name, given, wanted


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _is_text(value: Any) -> bool:
    """Whether it is one list of words, which belong together."""
    return _is_list(value) and bool(value) and all(isinstance(item, str) for item in value)
