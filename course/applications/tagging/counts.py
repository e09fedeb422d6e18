"""Counts of correct names in each text, for a confidence interval of F1 that resamples texts, not single names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from course.entities import entities_of
from course.validation.tags import require_pairs


def name_counts(true: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> np.ndarray:
    """Count for each text the correct names, the true names and the predicted names: int64, (texts, 3).

    Raises:
        ValueError: no texts, a different number of texts or tags on the two sides, or a tag of another scheme.
    """
    require_pairs(true, predicted)
    pairs = [(set(entities_of(ours)), set(entities_of(theirs))) for ours, theirs in zip(true, predicted, strict=True)]
    return np.array([(len(names & found), len(names), len(found)) for names, found in pairs], "int64")


def f1_of_counts(counts: np.ndarray) -> float:
    """Return F1 over all names from rows of `name_counts`; 0 if there are no names.

    Raises:
        ValueError: the counts do not have three columns.
    """
    if np.ndim(counts) != 2 or counts.shape[1] != 3:
        raise ValueError(f"counts must be (texts, 3), as name_counts returns them. Received: {np.shape(counts)}")
    right, true, found = counts.sum(axis=0)
    return float(2 * right / max(true + found, 1))
