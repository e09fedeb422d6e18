"""What is asked of whatever says which word comes next: a model, or a table in its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from keras import ops

from course.validation.values import require_id

# From what has been written, (rows, length), to log P of each word that could follow, (rows, vocabulary).
Step = Callable[[np.ndarray], Any]


def log_probabilities(step: Step, prefixes: np.ndarray, **ids: int) -> np.ndarray:
    """What a step says of each prefix, as (rows, vocabulary) in float64.

    Args:
        step: from (rows, length) to (rows, vocabulary).
        prefixes: integers, (rows, length), what has been written so far.
        **ids: words that must be in the vocabulary, such as `end_id=2`.

    Raises:
        ValueError: the step gives something else, or an id that its vocabulary does not have is asked for.
    """
    found = np.asarray(ops.convert_to_numpy(step(prefixes)), "float64")
    if found.ndim != 2 or len(found) != len(prefixes):
        raise ValueError(f"step must return ({len(prefixes)}, vocabulary). Received: {found.shape}")
    for name, number in ids.items():
        require_id(name, number, found.shape[1])
    return found
