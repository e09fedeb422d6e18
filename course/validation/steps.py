"""Checks of a step, the function that predicts the next word: a model, or a table in its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from keras import ops

from course.validation.values import require_id

# From the words so far, (rows, length), to log P of each possible next word, (rows, vocabulary).
Step = Callable[[np.ndarray], Any]


def log_probabilities(step: Step, prefixes: np.ndarray, **ids: int) -> np.ndarray:
    """A step's log probabilities after each prefix, (rows, vocabulary), in float64.

    Args:
        step: from (rows, length) to (rows, vocabulary).
        prefixes: integers, (rows, length), the words so far.
        **ids: words that must be in the vocabulary, such as `end_id=2`.

    Raises:
        ValueError: the step returns another shape, or its vocabulary lacks one of the ids.
    """
    scores = np.asarray(ops.convert_to_numpy(step(prefixes)), "float64")
    if scores.ndim != 2 or len(scores) != len(prefixes):
        raise ValueError(f"step must return ({len(prefixes)}, vocabulary). Received: {scores.shape}")
    for name, number in ids.items():
        require_id(name, number, scores.shape[1])
    return scores
