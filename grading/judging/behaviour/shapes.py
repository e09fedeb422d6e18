"""How a wrong array is related to the wanted one where their shapes differ."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from grading.judging.behaviour.answers import Pair
from grading.judging.behaviour.observation import Observation, Seen


def shapes(pair: Pair) -> Seen:
    """All that holds between a wrong array and the wanted one, where they have different shapes."""
    numbers = pair.numbers
    if numbers is None or numbers[0].shape == numbers[1].shape or min(numbers[0].size, numbers[1].size) < 2:
        return {}
    return dict.fromkeys(_all(pair, *numbers), numbers[1].size)


def _all(pair: Pair, given: np.ndarray, wanted: np.ndarray) -> Iterator[Observation]:
    if given.size == wanted.size:
        yield from _rearranged(pair, given, wanted)
    elif given.ndim == wanted.ndim:
        yield from _longer_or_shorter(pair, given, wanted)
    elif given.ndim < wanted.ndim:
        yield from _reduced(pair, given, wanted)


def _rearranged(pair: Pair, given: np.ndarray, wanted: np.ndarray) -> Iterator[Observation]:
    if given.squeeze().shape == wanted.squeeze().shape:
        if pair.agree(given.squeeze(), wanted.squeeze()):
            yield Observation(
                f"The numbers are those wanted, and the shape is {given.shape} instead of {wanted.shape}.",
                "Where does the axis of size 1 belong, or where has one been lost?",
            )
        return
    for axes in itertools.permutations(range(wanted.ndim)):
        if wanted.transpose(axes).shape == given.shape and pair.agree(given, wanted.transpose(axes)):
            yield Observation(
                f"It is what is wanted with its axes in another order: {given.shape} instead of {wanted.shape}.",
                "Which axis is meant to come first?",
            )
            return
    if pair.agree(given.ravel(), wanted.ravel()):
        yield Observation(
            f"The numbers are those wanted, in their order, and the shape is {given.shape} instead of {wanted.shape}.",
            "Which reshape is missing at the end?",
        )


def _longer_or_shorter(pair: Pair, given: np.ndarray, wanted: np.ndarray) -> Iterator[Observation]:
    different = [axis for axis in range(wanted.ndim) if given.shape[axis] != wanted.shape[axis]]
    if len(different) > 1:
        yield from _corner(pair, given, wanted)
        return
    axis = different[0]
    given, wanted = np.moveaxis(given, axis, 0), np.moveaxis(wanted, axis, 0)
    missing = len(wanted) - len(given)
    longer, shorter = (wanted, given) if missing > 0 else (given, wanted)
    count = abs(missing)
    ends = [
        name
        for name, part in (("last", longer[: len(shorter)]), ("first", longer[count:]))
        if pair.agree(part, shorter)
    ]
    place = f" over axis {axis}" if wanted.ndim > 1 else ""
    for name in ends:
        which = f"The {name} one" if count == 1 else f"The {name} {count}"
        state = "missing" if missing > 0 else "too much"
        yield Observation(
            f"{which}{place} {'is' if count == 1 else 'are'} {state}; all others are right.",
            "Where does counting begin, and where does it end?",
        )


def _corner(pair: Pair, given: np.ndarray, wanted: np.ndarray) -> Iterator[Observation]:
    """What ends too early, or too late, over several axes."""
    shared = tuple(slice(min(sizes)) for sizes in zip(given.shape, wanted.shape, strict=True))
    if given[shared].size > 3 and pair.agree(given[shared], wanted[shared]):
        yield Observation(
            f"What is there of {wanted.shape} is right; its end is missing, or there is too much of it: {given.shape}.",
            "What decides how large it becomes, and what should?",
        )


def _reduced(pair: Pair, given: np.ndarray, wanted: np.ndarray) -> Iterator[Observation]:
    for axis in range(wanted.ndim):
        for name, reduced in (("sum", wanted.sum(axis)), ("mean", wanted.mean(axis)), ("largest", wanted.max(axis))):
            if reduced.shape == given.shape and pair.agree(given, reduced):
                yield Observation(
                    f"It is the {name} over axis {axis} of what is wanted.", "Which axis is to stay, and which to go?"
                )
        if np.take(wanted, 0, axis).shape == given.shape and pair.agree(given, np.take(wanted, 0, axis)):
            yield Observation(
                f"It is only the first over axis {axis} of what is wanted.", "Which index takes only the first?"
            )
