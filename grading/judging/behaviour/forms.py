"""Answers of another form: nothing at all, another dtype, no number, no gradient."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grading.judging.behaviour.answers import Pair, numbers_of
from grading.judging.behaviour.observation import ENOUGH, Observation, Seen
from grading.judging.proxies import DTYPES_OF_WEIGHTS, LIST_OF_DTYPES, OF_WEIGHTS

_GRADIENT = "the gradient by the "


def forms(pair: Pair) -> Seen:
    """What is wrong with an answer before its numbers are looked at."""
    return dict.fromkeys(
        [*_gradients(pair), *_nothing(pair), *_other_dtype(pair), *_not_a_number(pair), *_infinite(pair)], ENOUGH
    )


def _gradients(pair: Pair) -> Iterator[Observation]:
    wanted, given = numbers_of(pair.wanted), numbers_of(pair.given)
    if wanted is None or not wanted.any() or (given is not None and given.any()):
        return
    question = "Which step on the way is made of NumPy, of whole numbers, or stops gradients?"
    if pair.name.startswith(_GRADIENT):
        name = pair.name.removeprefix(_GRADIENT)
        yield Observation(f"No gradient comes back to `{name}`: on the way it is cut.", question)
    elif pair.name == OF_WEIGHTS:
        yield Observation("No gradient reaches the weights, so they learn nothing.", question)


def _nothing(pair: Pair) -> Iterator[Observation]:
    if pair.given is None and pair.wanted is not None and "gradient" not in pair.name:
        yield Observation("Nothing is returned.", "Does every way through the code end in a `return`?")


def _other_dtype(pair: Pair) -> Iterator[Observation]:
    given, wanted = pair.given, pair.wanted
    if pair.name == LIST_OF_DTYPES and isinstance(given, list | tuple) and len(given) == len(wanted):
        wrong = next(((one, other) for one, other in zip(given, wanted, strict=True) if one != other), None)
        if wrong:
            yield Observation(
                f"What comes back is {wrong[0]}; it should be {wrong[1]}.",
                "Which operation makes this dtype, and where is it to be cast?",
            )
    if pair.name == DTYPES_OF_WEIGHTS and isinstance(given, list) and given != wanted:
        kept = next((one for one in given if one not in wanted), "nothing")
        yield Observation(
            f"Weights are kept in {kept}; they should be kept in {' and '.join(wanted)}, whatever is computed in.",
            "Which dtype does each part get: the layer's policy, or what it computes in?",
        )
    if not (isinstance(given, np.ndarray) and isinstance(wanted, np.ndarray)) or given.shape != wanted.shape:
        return
    numbers = pair.numbers
    if given.dtype.kind != wanted.dtype.kind and numbers and np.allclose(*numbers, rtol=pair.tolerance):
        yield Observation(
            f"The values are those wanted, and their dtype is {given.dtype} instead of {wanted.dtype}.",
            "Which operation makes this dtype, and where is it to be cast?",
        )


def _not_a_number(pair: Pair) -> Iterator[Observation]:
    given, wanted = numbers_of(pair.given), numbers_of(pair.wanted)
    if given is None or wanted is None or given.shape != wanted.shape or not np.isfinite(wanted).all():
        return
    missing = np.isnan(given)
    if not missing.any():
        return
    for name, value in pair.inputs.items():
        if isinstance(value, np.ndarray) and value.dtype.kind == "b" and _is_where_nothing_is_allowed(missing, value):
            yield Observation(
                f"NaN comes back for lines in which `{name}` is False throughout.",
                "What does a softmax, or a mean, make of nothing?",
            )
            return
    yield Observation(
        "NaN comes back where numbers are wanted.",
        "Which step gives no number: 0 by 0, the root or the logarithm of what is negative, infinity minus infinity?",
    )


def _infinite(pair: Pair) -> Iterator[Observation]:
    given, wanted = numbers_of(pair.given), numbers_of(pair.wanted)
    if given is None or wanted is None or not np.isfinite(wanted).all():
        return
    if np.isinf(given).any() and not np.isnan(given).any():
        yield Observation(
            "Infinity comes back where numbers are wanted.",
            "Which step has no end: the logarithm of 0, a division by 0, the exponential of what is large?",
        )


def _is_where_nothing_is_allowed(missing: np.ndarray, mask: np.ndarray) -> bool:
    """Whether exactly the lines are missing in which a mask, broadcast to them, allows nothing."""
    nothing = ~mask.any(axis=-1)
    try:
        return bool(
            nothing.any() and np.array_equal(missing.any(axis=-1), np.broadcast_to(nothing, missing.shape[:-1]))
        )
    except ValueError:
        return False
