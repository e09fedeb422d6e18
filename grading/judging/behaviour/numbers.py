"""What relations between arrays are measured by."""

from __future__ import annotations

import numpy as np

from grading.judging.behaviour.answers import Pair


def close(pair: Pair, one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two arrays are the same, to within a tolerance that small numbers are held to as well as large ones."""
    if one.shape != other.shape or not (np.isfinite(other).all() and np.isfinite(one).all()):
        return False
    tolerance = max(pair.tolerance, 1e-6)
    scale = max(float(np.abs(other).max(initial=0.0)), 1e-12)
    return bool((np.abs(one - other) <= 3 * tolerance * np.maximum(np.abs(other), 0.1 * scale)).all())


def varies(array: np.ndarray) -> bool:
    """Whether there are different numbers in it."""
    return bool(array.size and np.ptp(array) > 1e-6 * max(1.0, float(np.abs(array).max())))


def times(factor: float, array: np.ndarray) -> np.ndarray:
    """An array, multiplied, in the dtype that it has."""
    return (array * factor).astype(array.dtype)


def axis_name(pair: Pair, array: np.ndarray, axis: int) -> str:
    """What an axis of the answer is called: by the docstring, or by its size, where that tells it from the others."""
    if len(pair.axes) == array.ndim and pair.axes[axis]:
        return f"`{pair.axes[axis]}`"
    size = array.shape[axis]
    names = [name for name, known in pair.sizes.items() if known == size]
    if len(names) == 1 and array.shape.count(size) == 1:
        return f"`{names[0]}`"
    if array.ndim == 1:
        return "its only axis"
    return "the last axis" if axis == array.ndim - 1 else f"axis {axis}"
