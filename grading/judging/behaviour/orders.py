"""The same numbers in another order: exchanged, reversed, moved, reshaped, one in place of the others."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from grading.judging.behaviour.answers import Pair
from grading.judging.behaviour.numbers import axis_name, close, varies
from grading.judging.behaviour.observation import Observation

_MOST_ROWS = 40  # in which another order is looked for


def orders(pair: Pair, given: np.ndarray, wanted: np.ndarray) -> Iterator[Observation]:
    """In which order the wanted numbers come."""
    if wanted.size < 3 or not varies(wanted):
        return
    if has_same_numbers(given, wanted):
        yield from _exchanged_axes(pair, given, wanted)
    for axis in range(wanted.ndim):
        if 2 <= wanted.shape[axis] <= _MOST_ROWS:
            yield from _rows(pair, given, wanted, axis)


def _exchanged_axes(pair: Pair, given: np.ndarray, wanted: np.ndarray) -> Iterator[Observation]:
    for axes in itertools.permutations(range(wanted.ndim)):
        moved = [axis for axis in range(wanted.ndim) if axes[axis] != axis and wanted.shape[axis] > 1]
        if moved and close(pair, given, wanted.transpose(axes)):
            named = " and ".join(axis_name(pair, wanted, axis) for axis in moved)
            yield Observation(f"It is what is wanted with {named} exchanged.", "Which axis is meant to come first?")


def _rows(pair: Pair, given: np.ndarray, wanted: np.ndarray, axis: int) -> Iterator[Observation]:
    """Which row of the wanted array each row of the given one is, over one axis."""
    size, name = wanted.shape[axis], axis_name(pair, wanted, axis)
    rows_given, rows = (np.moveaxis(array, axis, 0).reshape(size, -1) for array in (given, wanted))
    if any(close(pair, rows[0], row) for row in rows[1:]):
        return  # which is which cannot be told
    places = [next((j for j in range(size) if close(pair, row, rows[j])), -1) for row in rows_given]
    if -1 in places or places == list(range(size)):
        return
    moved = [rows[place] for index, place in enumerate(places) if place != index]
    if wanted.dtype != bool and not _are_known_again(moved):
        return
    first = places[0]
    if len(set(places)) == 1:
        yield Observation(
            f"Over {name}, every one of what is returned is number {first} of what is wanted.",
            "Which index stays the same where it should count?",
        )
    elif places == list(range(size))[::-1]:
        yield Observation(f"It is what is wanted in reverse order over {name}.", "Where does counting begin?")
    elif size > 2 and places == [(index + first) % size for index in range(size)]:
        yield Observation(
            f"It is what is wanted, moved by {min(first, size - first)} over {name}.",
            "Is something counted from 1 instead of 0, or rolled around?",
        )
    elif len(set(places)) < size:
        yield Observation(
            f"Over {name}, some of what is wanted comes back several times, and some of it not at all.",
            "Which index repeats itself where it should go on?",
        )
    else:
        shown = ", ".join(map(str, places[:12])) + (", ..." if size > 12 else "")
        yield Observation(
            f"Over {name}, these of what is wanted come back, in this order: {shown}.",
            "By which steps do numbers come to their places? A reshape keeps their order; a transpose changes it.",
        )


def _are_known_again(rows: list[np.ndarray]) -> bool:
    """Whether others are not like them by chance, as rows of zeros are, and single counts."""
    if rows[0].size < 3:
        return len(rows) > 2 and all(row.all() for row in rows)
    return all(np.unique(row).size > 2 for row in rows)


def has_same_numbers(given: np.ndarray, wanted: np.ndarray) -> bool:
    """Whether the one has the numbers of the other, wherever they stand."""
    return bool(np.allclose(np.sort(given, axis=None), np.sort(wanted, axis=None), rtol=1e-4, atol=1e-6))
