"""Where a wrong array is wrong: at the first, the last, on the diagonal, where 0 is wanted."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grading.judging.behaviour.answers import Pair, is_float
from grading.judging.behaviour.numbers import axis_name
from grading.judging.behaviour.observation import ENOUGH, Observation, Seen
from grading.judging.behaviour.orders import has_same_numbers

_MOST_VALUES = 40  # of an argument, such as ids, that are looked for
_APART = 1 / 50  # of the range of all; who is nearer stands where it should, and is not exact
_TO_TAKE_TURNS = 6  # places; of fewer, every other one may be wrong for another reason
_ELSEWHERE = Observation(
    "It has the wanted numbers, each of them, and at other places.",
    "Which axis goes where? A reshape keeps the order of the numbers; a transpose changes it.",
)


def places(pair: Pair) -> Seen:
    """Which places of an array of the wanted shape are wrong, where that is a plain rule."""
    numbers = pair.numbers
    if numbers is None or numbers[0].shape != numbers[1].shape or numbers[1].size < 4:
        return {}
    given, wanted = numbers
    wrong = np.abs(given - wanted) > pair.tolerance * (1 + np.abs(wanted))
    if not wrong.any():
        return {}
    is_elsewhere = np.abs(given - wanted).max() > _APART * np.ptp(wanted) and has_same_numbers(given, wanted)
    if is_elsewhere and wanted.size >= 2 * ENOUGH and np.unique(wanted).size >= ENOUGH:
        return {_ELSEWHERE: wanted.size}
    if wrong.all():
        return {}
    return dict.fromkeys(_all(pair, given, wanted, wrong), wanted.size)


def _all(pair: Pair, given: np.ndarray, wanted: np.ndarray, wrong: np.ndarray) -> Iterator[Observation]:
    yield from _by_inputs(pair, wrong)
    if wrong.sum() > 3 and not given[wrong].any():
        yield Observation("Wherever it is wrong, it is 0.", "What makes these numbers 0?")
    for axis in range(wrong.ndim):
        yield from _along(pair, wrong, axis)
    yield from _by_value(pair, wanted, given, wrong)
    if wrong.ndim >= 2 and min(wrong.shape[-2:]) > 2:
        rows, columns = np.indices(wrong.shape[-2:])
        for name, area in (
            ("on the diagonal", rows == columns),
            ("above the diagonal", rows < columns),
            ("below the diagonal", rows > columns),
        ):
            if _exactly(wrong, np.broadcast_to(area, wrong.shape)):
                yield Observation(f"Only what stands {name} is wrong.", "What is special about it?")


def _along(pair: Pair, wrong: np.ndarray, axis: int) -> Iterator[Observation]:
    size = wrong.shape[axis]
    if size < 2:
        return
    at = np.flatnonzero(wrong.any(axis=tuple(a for a in range(wrong.ndim) if a != axis)))
    name = axis_name(pair, wrong, axis)
    everywhere = set(range(size))
    rules = {
        f"Only the first over {name} is wrong; all others are right.": {0},
        f"Only the last over {name} is wrong; all others are right.": {size - 1},
        f"Only the first over {name} is right; all others are wrong.": everywhere - {0},
        f"Only the last over {name} is right; all others are wrong.": everywhere - {size - 1},
    }
    if size >= _TO_TAKE_TURNS:
        rules |= {
            f"Only places 0, 2, 4, ... over {name} are wrong; those between them are right.": set(range(0, size, 2)),
            f"Only places 1, 3, 5, ... over {name} are wrong; those between them are right.": set(range(1, size, 2)),
        }
    for sentence, rule in rules.items():
        if set(at) == rule and rule:
            yield Observation(sentence, "What does the code do there that it does not do elsewhere?")
            return
    if len(at) < size and list(at) == list(range(at[0], size)) and at[0] > 1:
        yield Observation(f"Over {name} it is right up to {at[0] - 1} and wrong from {at[0]} on.", "What begins there?")
    elif len(at) < size and list(at) == list(range(at[-1] + 1)) and size - len(at) > 1:
        yield Observation(f"Over {name} it is wrong up to {at[-1]} and right from {at[-1] + 1} on.", "What ends there?")
    elif len(at) == 1:
        yield Observation(f"Over {name}, only {at[0]} is wrong; all others are right.", "What is special about it?")


def _by_value(pair: Pair, wanted: np.ndarray, given: np.ndarray, wrong: np.ndarray) -> Iterator[Observation]:
    zero = wanted == 0
    if zero.any() and not zero.all():
        if _exactly(wrong, zero):
            yield Observation(
                "It is wrong exactly where 0 is wanted; there it gives something else.", "What should make it 0 there?"
            )
        elif _exactly(wrong, ~zero) and wanted.size > 8:
            yield Observation("It is right only where 0 is wanted.", "What happens to all that is not 0?")
    is_of_numbers = isinstance(pair.wanted, np.ndarray) and is_float(pair.wanted)  # ids below 0 are none
    if is_of_numbers and (wanted < 0).any() and (wanted > 0).any():
        if _exactly(wrong, wanted < 0):
            yield Observation("Only negative numbers come out wrong.", "What happens to a number below 0?")
        elif _exactly(wrong, wanted > 0):
            yield Observation("Only positive numbers come out wrong.", "What happens to a number above 0?")


def _by_inputs(pair: Pair, wrong: np.ndarray) -> Iterator[Observation]:
    """Exactly where a boolean argument is False, or True, or where one of whole numbers has a certain one."""
    for name, value in pair.inputs.items():
        if not isinstance(value, np.ndarray) or value.dtype.kind not in "biu" or value.ndim > wrong.ndim:
            continue
        known = np.unique(value)
        if not 2 <= len(known) <= _MOST_VALUES:
            continue
        for shape in {value.shape, (*value.shape, 1)}:
            for one in known:
                area = _broadcast((value == one).reshape(shape), wrong.shape)
                if area is not None and _exactly(wrong, area):
                    yield Observation(
                        f"It is wrong exactly where `{name}` is {one}.", f"What does `{name}` mean, and what follows?"
                    )
        yield from _samples_with(name, value, known, wrong)


def _samples_with(name: str, value: np.ndarray, known: np.ndarray, wrong: np.ndarray) -> Iterator[Observation]:
    """Samples that are wrong at some place or other, if these are all those in which an argument has some value."""
    if value.ndim < 2 or wrong.ndim < 2 or len(value) != len(wrong) or len(value) < 3:
        return
    samples = wrong.reshape(len(wrong), -1).any(axis=1)
    for one in known:
        having = (value == one).reshape(len(value), -1).any(axis=1)
        if samples.any() and not samples.all() and np.array_equal(samples, having):
            yield Observation(
                f"Samples with {one} somewhere in `{name}` are wrong; all others are right.",
                f"What does {one} mean in `{name}`, and where does the code look at it?",
            )


def _broadcast(area: np.ndarray, shape: tuple[int, ...]) -> np.ndarray | None:
    try:
        return np.broadcast_to(area, shape)
    except ValueError:
        return None


def _exactly(wrong: np.ndarray, area: np.ndarray) -> bool:
    """Whether all that is wrong is in the area, and most of the area is wrong."""
    return bool(area.any() and not area.all() and not wrong[~area].any() and wrong[area].mean() > 0.9)
