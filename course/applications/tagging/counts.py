"""How many names are right in each text, from which an interval of F1 is drawn: texts vary, and not single names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from course.entities import entities_of
from course.validation.tags import require_pairs


def name_counts(true: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> np.ndarray:
    """Of each text, how many names are right, how many it has, and how many were found: int64, (texts, 3).

    Raises:
        ValueError: no texts, another number of texts or tags, or a tag of another scheme.
    """
    require_pairs(true, predicted)
    pairs = [(set(entities_of(one)), set(entities_of(other))) for one, other in zip(true, predicted, strict=True)]
    return np.array([(len(kept & found), len(kept), len(found)) for kept, found in pairs], "int64")


def f1_of_counts(counts: np.ndarray) -> float:
    """F1 over all names, from rows of `name_counts`; 0 where there are none.

    Raises:
        ValueError: counts that have no three columns.
    """
    if np.ndim(counts) != 2 or counts.shape[1] != 3:
        raise ValueError(f"counts must be (texts, 3), of name_counts. Received: {np.shape(counts)}")
    right, true, found = counts.sum(axis=0)
    return float(2 * right / max(true + found, 1))
