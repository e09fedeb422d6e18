"""An argument that comes back as it is, or is added or multiplied once too often or too seldom."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grading.judging.behaviour.answers import Pair
from grading.judging.behaviour.numbers import close, varies
from grading.judging.behaviour.observation import ENOUGH, Observation


def arguments(pair: Pair, given: np.ndarray, wanted: np.ndarray) -> Iterator[Observation]:
    """What is one of the arguments, or has one too many or too few, added or multiplied."""
    if wanted.size < ENOUGH or not wanted.ndim:
        return
    if wanted.ndim > 1 and wanted.shape[-1] > 3 and _is_multiple_in_each_line(pair, given, wanted):
        yield Observation(
            "Each line of it is what is wanted times a factor of its own.",
            "By what is each line divided or multiplied, and from what is that computed?",
        )
    for name, value in pair.inputs.items():
        if not isinstance(value, np.ndarray) or value.dtype.kind not in "iuf" or value.ndim > wanted.ndim:
            continue
        if value.ndim == 0 or value.shape != wanted.shape[wanted.ndim - value.ndim :] or not varies(value):
            continue
        yield from _one_argument(pair, name, np.broadcast_to(value.astype("float64"), wanted.shape), given, wanted)


def _one_argument(
    pair: Pair, name: str, value: np.ndarray, given: np.ndarray, wanted: np.ndarray
) -> Iterator[Observation]:
    apart = given - wanted
    if close(pair, given, value):
        yield Observation(f"It is `{name}`, unchanged.", "Is what was computed returned?")
    else:
        times = float(np.vdot(value, apart) / np.vdot(value, value))
        if abs(times) > 1e-3 and close(pair, given, wanted + times * value):
            yield _added(name, times)
        elif value.shape[-1] > 3 and _is_multiple_in_each_line(pair, apart, value):
            yield Observation(
                f"It is what is wanted and, in each line, a multiple of `{name}` besides.",
                f"What is multiplied by `{name}`, and what is subtracted from it before?",
            )
        elif pair.inputs[name].ndim == 1 and _is_multiple_in_each_line(pair, given - value, wanted - value):
            yield Observation(
                f"But for `{name}`, each line of it is what is wanted times a factor of its own.",
                "By what is each line divided, and from what is that computed?",
            )
        elif close(pair, given, wanted * value):
            yield Observation(f"It is what is wanted times `{name}`.", f"How often is `{name}` multiplied?")
        elif close(pair, given * value, wanted):
            yield Observation(f"It is what is wanted divided by `{name}`.", f"Where is `{name}` to be multiplied?")


def _added(name: str, times: float) -> Observation:
    if np.isclose(times, -1, rtol=1e-3):
        return Observation(f"`{name}` is missing in the sum that is returned.", f"What is `{name}` added to?")
    if np.isclose(times, -2, rtol=1e-3):
        return Observation(f"`{name}` is subtracted; it should be added.", f"Which sign has `{name}`?")
    if np.isclose(times, 1, rtol=1e-3):
        return Observation(
            f"It is what is wanted, and `{name}` besides.", f"Is `{name}` to be added here, or somewhere else?"
        )
    return Observation(f"It is what is wanted, and {times:.4g} times `{name}` besides.", f"How is `{name}` added?")


def _is_multiple_in_each_line(pair: Pair, apart: np.ndarray, value: np.ndarray) -> bool:
    """Whether each line of the one is a multiple of the same line of the other, not the same multiple for all."""
    size = np.sum(value * value, axis=-1, keepdims=True)
    if (size == 0).any():
        return False
    times = np.sum(apart * value, axis=-1, keepdims=True) / size
    return varies(times) and np.abs(times).min() > 1e-6 and close(pair, apart, times * value)
