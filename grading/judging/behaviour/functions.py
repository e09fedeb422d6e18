"""One array is a well-known function of the other: a softmax, a logarithm, rounded, cut off, summed to 1 elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from grading.judging.behaviour.answers import Pair
from grading.judging.behaviour.numbers import axis_name, close, varies
from grading.judging.behaviour.observation import ENOUGH, Observation

# What one may be of the other, and what that says.
_FUNCTIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "the exponential": np.exp,
    "the logarithm": np.log,
    "the square": np.square,
    "the square root": np.sqrt,
    "the reciprocal": np.reciprocal,
    "the absolute value": np.abs,
    "the hyperbolic tangent": np.tanh,
    "the sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "the positive part (relu)": lambda x: np.maximum(x, 0),
}


def functions(pair: Pair, given: np.ndarray, wanted: np.ndarray) -> Iterator[Observation]:
    """Which function the one is of the other."""
    if wanted.size < ENOUGH:
        return
    with np.errstate(all="ignore"):
        if varies(given):
            yield from _of_each_number(pair, given, wanted)
            yield from _coarser(pair, given, wanted)
        yield from _softmaxes(pair, given, wanted)
        yield from _sums(pair, given, wanted)


def _of_each_number(pair: Pair, given: np.ndarray, wanted: np.ndarray) -> Iterator[Observation]:
    for name, function in _FUNCTIONS.items():
        if close(pair, given, function(wanted)):
            yield Observation(f"It is {name} of what is wanted.", "Which function is one too many?")
        if close(pair, function(given), wanted):
            yield Observation(f"What is wanted is {name} of what is returned.", "Which function is missing at the end?")
    if close(pair, given, 1 - wanted):
        yield Observation("It is 1 minus what is wanted.", "What is counted the other way round?")


def _softmaxes(pair: Pair, given: np.ndarray, wanted: np.ndarray) -> Iterator[Observation]:
    for axis in range(wanted.ndim):
        if wanted.shape[axis] < 2:
            continue
        name = axis_name(pair, wanted, axis)
        probabilities = _softmax(wanted, axis)
        for what, array in (("softmax", probabilities), ("logarithm of the softmax", np.log(probabilities))):
            if close(pair, given, array):
                yield Observation(f"It is the {what} over {name} of what is wanted.", "Where does the softmax belong?")
        if close(pair, _softmax(given, axis), wanted):
            yield Observation(
                f"What is wanted is the softmax over {name} of what is returned.", "Which step is the last one?"
            )


def _coarser(pair: Pair, given: np.ndarray, wanted: np.ndarray) -> Iterator[Observation]:
    for digits in (0, 1, 2, 3):
        if _is_rounded(given, wanted, digits):
            yield Observation(f"It is what is wanted, rounded to {digits} digits.", "Where is it rounded?")
            return
    if isinstance(pair.wanted, np.ndarray) and pair.wanted.dtype.kind in "iu":
        return  # ids are not cut off
    low, high = given.min(), given.max()
    inside = (wanted > low) & (wanted < high)
    if inside.sum() >= ENOUGH and varies(given[inside]) and close(pair, given, np.clip(wanted, low, high)):
        yield Observation(
            f"It is what is wanted, cut off below {low:.5g} and above {high:.5g}.", "Which function cuts numbers off?"
        )


def _is_rounded(given: np.ndarray, wanted: np.ndarray, digits: int) -> bool:
    """Whether all numbers have so few digits, and are the wanted ones to within half of the last of them."""
    steps = given * 10**digits
    # Who is sure, as by 0.9999 or 1e-9, has not rounded.
    is_coarse = np.allclose(steps, np.round(steps), rtol=1e-6, atol=0.0)
    return bool(is_coarse and np.unique(wanted).size > 2 and np.abs(given - wanted).max() <= 0.501 * 10**-digits)


def _sums(pair: Pair, given: np.ndarray, wanted: np.ndarray) -> Iterator[Observation]:
    """Sums and means over another axis."""
    for axis in range(wanted.ndim):
        if wanted.shape[axis] < 2 or not np.allclose(wanted.sum(axis=axis), 1, atol=1e-4):
            continue
        if np.allclose(given.sum(axis=axis), 1, atol=1e-4):
            continue
        name = axis_name(pair, wanted, axis)
        others = [a for a in range(wanted.ndim) if a != axis and wanted.shape[a] > 1]
        over = [a for a in others if np.allclose(given.sum(axis=a), 1, atol=1e-4)]
        if over:
            yield Observation(
                f"It sums to 1 over {axis_name(pair, wanted, over[0])}, and not over {name}.",
                "Over which axis is it to be normalised?",
            )
        elif np.allclose(given.sum(), 1, atol=1e-4):
            yield Observation(
                f"All of it together sums to 1, and not {name} by itself.", "Over which axis is it to be normalised?"
            )
        else:
            sums = given.sum(axis=axis, keepdims=True)
            if (np.abs(sums) > 1e-6).all() and close(pair, given / sums, wanted):
                yield Observation(
                    f"Over {name} it should sum to 1, and does not; divided by its sum it is what is wanted.",
                    "What is changed after the normalisation, or is it missing?",
                )
            else:
                yield Observation(
                    f"Over {name} it should sum to 1, and does not.", "Which step makes shares of numbers?"
                )
        return


def _softmax(x: np.ndarray, axis: int) -> np.ndarray:
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
