"""Random arrays for the checks of many chapters."""

from __future__ import annotations

import numpy as np

Random = np.random.RandomState
Parameters = dict[str, np.ndarray]


def normal(random: Random, *shape: int, dtype: str = "float32") -> np.ndarray:
    return random.standard_normal(shape).astype(dtype)


def dense(random: Random, name: str, rows: int, columns: int) -> Parameters:
    """The kernel and the bias of a projection of that name."""
    return {f"{name}/kernel": 0.5 * normal(random, rows, columns), f"{name}/bias": 0.5 * normal(random, columns)}


def projections(random: Random, width: int, context_width: int, hidden_dim: int) -> Parameters:
    """The projections of attention, for inputs and context of these widths."""
    widths = {"query": width, "key": context_width, "value": context_width, "output": hidden_dim}
    return {
        path: array for name, rows in widths.items() for path, array in dense(random, name, rows, hidden_dim).items()
    }
