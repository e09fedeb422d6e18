"""The only kinds of value that pass between a grader and a student's code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Object:
    """Stands for something that stays in the student's process, such as a layer."""

    id: int


# None, bool, int, float, str, numpy.ndarray, Object, and lists, tuples and string-keyed dicts of these.
Value = Any
