"""Pairwise preferences from a table instead of a model: small enough to follow a comparison by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
from keras import ops

from course.validation.arrays import require_rank


class Preferences:
    """A comparison for `duo_rank`: the probability that the first of two documents is better. It counts its calls.

    Args:
        probabilities: (documents, documents).

    Raises:
        ValueError: not a table.

    Example:
        >>> compare = Preferences(np.array([[0.5, 0.9], [0.2, 0.5]]))
        >>> compare(np.array([0]), np.array([1]))
        array([0.9])
    """

    def __init__(self, probabilities: Any) -> None:
        self._table = np.asarray(probabilities, "float64")
        require_rank(self._table, "probabilities", ("documents", "documents"))
        self._asked = np.zeros(self._table.shape, "int64")
        self._most = 0

    def __call__(self, first: Any, second: Any) -> np.ndarray:
        """Return the probability for each pair of documents, (pairs,)."""
        first, second = (np.asarray(ops.convert_to_numpy(side)).astype("int64") for side in (first, second))
        np.add.at(self._asked, (first, second), 1)
        self._most = max(self._most, len(first))
        return self._table[first, second]

    def asked(self) -> np.ndarray:
        """Return how often each pair was compared: integers, (documents, documents)."""
        return self._asked

    def most_at_a_time(self) -> int:
        """Return the largest number of pairs in one call."""
        return self._most
