"""How a wrong array is related to the wanted one of the same shape."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grading.judging.behaviour.answers import Pair
from grading.judging.behaviour.arguments import arguments
from grading.judging.behaviour.functions import functions
from grading.judging.behaviour.observation import ENOUGH, Observation, Seen
from grading.judging.behaviour.orders import orders
from grading.judging.behaviour.scale import constant, factors, nearly_zero, same_along_an_axis, shifts


def relations(pair: Pair) -> Seen:
    """All that holds between a wrong array and the wanted one, where they have one shape."""
    numbers = pair.numbers
    if numbers is None or numbers[0].shape != numbers[1].shape:
        return {}
    seen: Seen = {}
    for observation, evidence in _all(pair, *numbers):
        seen.setdefault(observation, evidence)
    return seen


def _all(pair: Pair, given: np.ndarray, wanted: np.ndarray) -> Iterator[tuple[Observation, int]]:
    different = int(np.unique(wanted).size)
    if isinstance(pair.wanted, np.ndarray) and pair.wanted.dtype.kind == "b":
        yield from ((one, wanted.size) for one in _truth(given, wanted))
        yield from ((one, wanted.size) for one in orders(pair, given, wanted))
        return
    # One number has some factor anyway; that two have the same one says something.
    yield from ((one, max(different, ENOUGH // 2)) for one in factors(pair, given, wanted))
    yield from ((one, different - 1) for one in shifts(pair, given, wanted))
    yield from ((one, different) for one in functions(pair, given, wanted))
    yield from ((one, different) for one in arguments(pair, given, wanted))
    yield from constant(given, wanted)
    yield from same_along_an_axis(pair, given, wanted)
    yield from nearly_zero(given, wanted)
    if different > 2:
        yield from ((one, wanted.size) for one in orders(pair, given, wanted))


def _truth(given: np.ndarray, wanted: np.ndarray) -> Iterator[Observation]:
    if np.array_equal(given, 1 - wanted):
        yield Observation("True and False are exchanged, everywhere.", "Which of the two does the docstring call True?")
