"""One factor, one number more or less, everywhere; one number in every place; almost 0 where 0 is wanted."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from grading.judging.behaviour.answers import Pair
from grading.judging.behaviour.numbers import axis_name, close, varies
from grading.judging.behaviour.observation import ENOUGH, Observation

_NEAR = 1 / 50  # of the largest number, and of the range of all
_NEAR_ONE = 1e-3  # what is so near 1 is no factor that somebody wrote
_LARGEST_DENOMINATOR = 40

_CONSTANTS = {"2": 2.0, "3": 3.0, "10": 10.0, "100": 100.0, "1000": 1000.0, "2π": 2 * math.pi, "log 2": math.log(2)}


def factors(pair: Pair, given: np.ndarray, wanted: np.ndarray) -> Iterator[Observation]:
    """One factor for all of it."""
    size = float(np.vdot(wanted, wanted))
    if size == 0 or np.abs(wanted).max() < 1e-6:
        return
    factor = float(np.vdot(wanted, given)) / size
    if abs(factor) < 1e-9 or not close(pair, given, factor * wanted):
        return
    if np.isclose(factor, -1, rtol=1e-5):
        yield Observation("It is what is wanted, with the other sign.", "Where is something subtracted or negated?")
        return
    names = list(_names_of(factor, pair.sizes))
    for name in names:
        yield Observation(
            f"It is what is wanted, {name}, everywhere.",
            "Where is a number multiplied, divided, summed or averaged, and by how much should it be?",
        )
    # A single number is always another one times something: only what is a simple fraction tells more than that.
    fraction = Fraction(factor).limit_denominator(_LARGEST_DENOMINATOR)
    is_simple = fraction and fraction != 1 and np.isclose(factor, float(fraction), rtol=1e-5)
    decimal = f"{factor:.5g}"
    said = f"{fraction} ({decimal})" if is_simple and Fraction(decimal) != fraction else decimal
    if not names and (is_simple or (wanted.size > 1 and abs(factor - 1) > _NEAR_ONE)):
        yield Observation(
            f"It is what is wanted times {said}, everywhere.",
            "Where is a number multiplied, divided, summed or averaged, and by how much should it be?",
        )


def _names_of(factor: float, sizes: dict[str, int]) -> Iterator[str]:
    """A factor in words: by a size of what came in or went out, by its root, or by a number."""
    # First what is plainly so. That it is a size, too, shows in checks of other sizes.
    for written, value in _CONSTANTS.items():
        if np.isclose(factor, value, rtol=1e-4):
            yield f"times {written}"
        if np.isclose(factor, 1 / value, rtol=1e-4):
            yield f"divided by {written}"
    for name, size in sizes.items():
        if size < 2:
            continue
        for written, value in ((f"{name}", size), (f"√{name}", math.sqrt(size)), (f"{name}²", size**2)):
            if np.isclose(factor, value, rtol=1e-4):
                yield f"times {written}"
            if np.isclose(factor, 1 / value, rtol=1e-4):
                yield f"divided by {written}"


def shifts(pair: Pair, given: np.ndarray, wanted: np.ndarray) -> Iterator[Observation]:
    """One number added to all of it."""
    if wanted.size < 2 or np.ptp(wanted) < 1e-3:
        return
    shift = float(np.mean(given - wanted))
    if abs(shift) > 1e-6 and close(pair, given, wanted + shift):
        yield Observation(
            f"It is what is wanted, and {abs(shift):.5g} too {'much' if shift > 0 else 'little'}, everywhere.",
            "What is added to everything alike, or is missing from everything alike?",
        )


def constant(given: np.ndarray, wanted: np.ndarray) -> Iterator[tuple[Observation, int]]:
    if given.size >= ENOUGH and not varies(given) and np.unique(wanted).size > 2:
        yield (
            Observation(
                f"It is {given.flat[0]:.5g} in every place.",
                "Which line makes everything the same?",
            ),
            given.size,
        )


def same_along_an_axis(pair: Pair, given: np.ndarray, wanted: np.ndarray) -> Iterator[tuple[Observation, int]]:
    """Each place over an axis has the same, and should have its own."""
    if given.ndim < 2 or not varies(given):
        return
    for axis in range(given.ndim):
        first = np.take(given, [0], axis)
        is_same = given.shape[axis] > 2 and close(pair, given, np.broadcast_to(first, given.shape))
        if is_same and not close(pair, wanted, np.broadcast_to(np.take(wanted, [0], axis), wanted.shape)):
            yield (
                Observation(
                    f"Every place over {axis_name(pair, wanted, axis)} gets the same; each should have its own.",
                    "Which of what comes in is taken for all of them?",
                ),
                given.size,
            )


def near(pair: Pair) -> dict[Observation, int]:
    """Off by little, in all places: of few digits, or made by another formula for nearly the same."""
    numbers = pair.numbers
    if numbers is None or numbers[0].shape != numbers[1].shape or np.unique(numbers[1]).size < ENOUGH:
        return {}
    given, wanted = numbers
    off = float(np.abs(given - wanted).max())
    if off > _NEAR * float(np.abs(wanted).max()) or off > _NEAR * float(np.ptp(wanted)):
        return {}
    said = Observation(
        "It comes near: nowhere is it off by more than a fiftieth of the largest number.",
        "Is something approximated, cut off or rounded, computed in a dtype of few digits, or is a constant not exact?",
    )
    return {said: wanted.size}


def nearly_zero(given: np.ndarray, wanted: np.ndarray) -> Iterator[tuple[Observation, int]]:
    """Something small where nothing at all is wanted, as behind a mask."""
    zero = wanted == 0
    if zero.sum() >= 3 and not zero.all() and (given[zero] != 0).mean() > 0.9 and np.abs(given[zero]).max() < 0.02:
        yield (
            Observation(
                "Where exactly 0 is wanted, it gives something small instead.",
                "What should make it exactly 0: a mask, a number far enough down, a count?",
            ),
            wanted.size,
        )
