"""One number that goes in and what becomes of it, for functions that treat each number by itself."""

from __future__ import annotations

import numpy as np

from grading.judging.behaviour.answers import Pair
from grading.judging.behaviour.observation import Observation, Seen


def examples(pair: Pair) -> Seen:
    """The number nearest to 1 that goes in, what is made of it, and what should be."""
    numbers = pair.numbers
    arrays = [value for value in pair.inputs.values() if isinstance(value, np.ndarray) and value.ndim]
    if numbers is None or numbers[0].shape != numbers[1].shape or len(arrays) != 1:
        return {}
    given, wanted = numbers
    value = arrays[0]
    if value.shape != wanted.shape or value.dtype.kind != "f" or not _is_a_function(value, wanted):
        return {}
    wrong = np.abs(given - wanted) > 10 * pair.tolerance * (1 + np.abs(wanted))
    if not wrong.any() or not _is_a_function(value, given):
        return {}
    place = np.argmin(np.where(wrong, np.abs(value - 1), np.inf))
    return {
        Observation(
            f"Of {value.flat[place]:.4g} it makes {given.flat[place]:.4g}; wanted {wanted.flat[place]:.4g}.",
            "Put this number into the equation by hand, factor by factor. Where do the two part?",
        ): wanted.size
    }


def _is_a_function(value: np.ndarray, result: np.ndarray) -> bool:
    """Whether neighbours in what goes in are neighbours in what comes out: each number is treated by itself."""
    order = np.argsort(value, axis=None)
    steps = np.abs(np.diff(result.ravel()[order]))
    gaps = np.diff(value.ravel()[order])
    return bool(value.size > 20 and (steps <= 5 * gaps + 1e-4).all())
