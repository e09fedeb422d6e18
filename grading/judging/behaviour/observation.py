"""What is an observation, which part of an answer is it about, and which observation is shown first?"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache
from typing import Any

import numpy as np

from grading.judging.behaviour.calls import WatchedSession
from grading.judging.comparison import as_called, compare
from grading.judging.exercise import Check
from grading.judging.probing import Outcome
from grading.messages import Message

# Fewer numbers than this may agree by chance.
ENOUGH = 6
ORDINALS = ("the first value", "the second value", "the third value")


@dataclass(frozen=True)
class Observation:
    """What the grader observed, in the words that a student reads. Equal words are the same observation in any check.

    Attributes:
        sentence: what the code does. It is true whatever the mistake is, and names none.
        question: what to look at.
        is_example: whether it speaks of one input alone; all others must hold on other inputs, too.
    """

    sentence: str
    question: str
    is_example: bool = False


# How many numbers support each observation.
Evidence = dict[Observation, int]


def common_evidence(evidence: list[Evidence]) -> Evidence:
    """The observations that all have in common, each with the sum of its support."""
    if not evidence:
        return {}
    common = [observation for observation in evidence[0] if all(observation in other for other in evidence)]
    return {observation: sum(other[observation] for other in evidence) for observation in common}


@dataclass(frozen=True, eq=False)
class Pair:
    """A part of an answer beside the part that was expected.

    Attributes:
        name: its key in a dictionary, or "the second value" of a few; "" if it has none.
        given: the student's value.
        expected: the reference's value.
        tolerance: the check's tolerance.
        sizes: the sizes of the inputs' axes, and the whole numbers among the arguments, by name.
        inputs: the arguments of the student's code, by name.
        axes: the names of the answer's axes, "" for those without one; empty if they are unknown.
        of_axes: the sizes of the inputs' axes alone.
    """

    name: str
    given: Any
    expected: Any
    tolerance: float
    sizes: dict[str, int] = field(default_factory=dict)
    inputs: dict[str, Any] = field(default_factory=dict)
    axes: list[str] = field(default_factory=list)
    of_axes: dict[str, int] = field(default_factory=dict)

    def agree(self, given: Any, expected: Any) -> bool:
        """Whether two values are equal to within the check's tolerance."""
        return compare(given, expected, self.tolerance) is None

    @property
    def numbers(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Both as finite float64 arrays, of any shapes; None if they are not such arrays."""
        arrays = [numbers_of(value) for value in (self.given, self.expected)]
        if any(array is None or not np.isfinite(array).all() for array in arrays):
            return None
        given, expected = arrays
        return given, expected  # type: ignore[return-value]


def parts(given: Any, expected: Any, name: str = "") -> Iterator[tuple[str, Any, Any]]:
    """The parts of two answers side by side; if their structures differ, they are one part."""
    if isinstance(expected, dict) and isinstance(given, dict) and expected.keys() <= given.keys():
        called = as_called(given)
        for key, value in expected.items():
            yield from parts(given[key], value, called.get(key) or key)
    elif _is_list(expected) and _is_list(given) and len(given) == len(expected) and not _is_text(expected):
        names = ORDINALS if len(expected) <= len(ORDINALS) else [""] * len(expected)
        for ordinal, item, expected_item in zip(names, given, expected, strict=False):
            yield from parts(item, expected_item, name or ordinal)
    else:
        yield name, given, expected


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _is_text(value: Any) -> bool:
    """Whether it is a list of words, or of pairs of words, which stays one part."""
    return _is_list(value) and bool(value) and all(isinstance(item, str) or _is_text(item) for item in value)


def is_float(value: np.ndarray) -> bool:
    """Whether the dtype is a floating one; bfloat16 has none of NumPy's kinds."""
    return value.dtype.kind == "f" or "float" in value.dtype.name


def numbers_of(value: Any) -> np.ndarray | None:
    """A number, or an array of numbers or booleans, as float64; None for everything else."""
    if isinstance(value, bool | int | float):
        return np.asarray(value, "float64")
    if isinstance(value, np.ndarray) and (value.dtype.kind in "biu" or is_float(value)):
        return value.astype("float64")
    return None


def close(pair: Pair, array: np.ndarray, other: np.ndarray) -> bool:
    """Whether two arrays are equal, with a tolerance that small numbers have to meet as well as large ones."""
    if array.shape != other.shape or not (np.isfinite(other).all() and np.isfinite(array).all()):
        return False
    tolerance = max(pair.tolerance, 1e-6)
    scale = max(float(np.abs(other).max(initial=0.0)), 1e-12)
    return bool((np.abs(array - other) <= 3 * tolerance * np.maximum(np.abs(other), 0.1 * scale)).all())


def varies(array: np.ndarray) -> bool:
    """Whether an array has different numbers in it."""
    return bool(array.size and np.ptp(array) > 1e-6 * max(1.0, float(np.abs(array).max())))


def axis_name(pair: Pair, array: np.ndarray, axis: int) -> str:
    """The name of an axis of the answer: the docstring's, or that of its size if no other axis has the same size."""
    if len(pair.axes) == array.ndim and pair.axes[axis]:
        return f"`{pair.axes[axis]}`"
    size = array.shape[axis]
    names = [name for name, known in pair.of_axes.items() if known == size]
    if len(names) == 1 and array.shape.count(size) == 1:
        return f"`{names[0]}`"
    if array.ndim == 1:
        return Message("its only axis")
    return Message("the last axis") if axis == array.ndim - 1 else Message("axis {axis}", axis=axis)


class Kind(IntEnum):
    """The kinds of observations, the most telling first."""

    VALUES = 0
    EXCHANGE = 1
    PART = 2
    DEPENDENCE = 3
    CONDITION = 4
    REACH = 5
    PLACES = 6
    CALLS = 7
    EXAMPLE = 8


@dataclass(frozen=True)
class Observed:
    """An observation and what it explains.

    Attributes:
        observation: its words.
        explains: the keys of the checks in which it holds.
        kind: its kind.
    """

    observation: Observation
    explains: frozenset[str]
    kind: Kind


class Observations:
    """What may be said of code, the most telling first; that it holds again is asked only of what would be said.

    Args:
        observed: what was observed once.
        of_calls: what wrong calls have in common, and the smallest one.
        holds: whether something is observed again on other inputs, which takes long.
    """

    def __init__(
        self,
        observed: Iterable[Observed],
        of_calls: Iterable[Observed] = (),
        holds: Callable[[Observed], bool] = lambda _: True,
    ) -> None:
        self.of_calls = list(of_calls)
        self._observed = list(observed)
        self._holds = cache(holds)

    def __iter__(self) -> Iterator[Observed]:
        return itertools.chain(filter(self._holds, self._observed), self.of_calls)

    def first(self, fits: Callable[[Observed], bool] = lambda _: True) -> Observed | None:
        """The first that fits and holds, but for those of calls."""
        return next(filter(self._holds, filter(fits, self._observed)), None)


@dataclass
class Look:
    """A failed check and what was observed in it.

    Attributes:
        outcome: what it gave when it failed.
        now: what it gave once more, when its calls were recorded.
        is_looked_into: whether it ran with changed inputs.
        is_under_conditions: whether it ran under conditions.
        changes: the changes of inputs and weights that told something.
        conditions: the conditions under which it was right.
        seen_in_parts: what holds of some part of its answer.
        seen: what holds of all of its answer; for `Kind.PART`, of the part that the sentence names.
    """

    check: Check
    outcome: Outcome
    now: Outcome
    expected: Outcome
    watched: WatchedSession
    parameters: dict[str, np.ndarray] = field(default_factory=dict)
    is_looked_into: bool = False
    is_under_conditions: bool = False
    changes: list[str] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)
    seen_in_parts: set[Observation] = field(default_factory=set)
    seen: dict[Kind, Evidence] = field(default_factory=lambda: {kind: {} for kind in Kind})


def ranked(looks: Sequence[Look], looked_into: Mapping[Kind, set[str]], comparable: set[str]) -> list[Observed]:
    """The observations, in the order in which they are shown.

    Those that explain half of the checks come first, by kind; within a kind, those that explain most, then those that
    were found first.

    Args:
        looks: the failed checks with their observations.
        looked_into: the checks in which each kind was looked for. What holds in all of these explains the others, too.
        comparable: all checks that an observation may explain.
    """
    entries: list[tuple[bool, int, int, int, Observed]] = []
    for kind in Kind:
        observations = dict.fromkeys(observation for look in looks for observation in look.seen[kind])
        for place, observation in enumerate(observations):
            keys = {look.check.key for look in looks if observation in look.seen[kind]}
            evidence = sum(look.seen[kind].get(observation, 0) for look in looks)
            if kind is Kind.VALUES:
                keys |= {look.check.key for look in looks if observation in look.seen_in_parts}
            if looked_into[kind] and keys >= looked_into[kind]:
                keys = comparable
            if evidence >= ENOUGH:
                is_rare = 2 * len(keys) < len(comparable)
                entries.append((is_rare, kind, -len(keys), place, Observed(observation, frozenset(keys), kind)))
    return [observed for *_, observed in sorted(entries, key=lambda entry: entry[:4])]
