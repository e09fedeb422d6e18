"""Counts each bin by its bounds."""

import numpy as np
from keras import ops


def matching_histogram(similarity, document_mask, bins=10):
    s = ops.cast(similarity, "float32")
    words = document_mask[:, None, :]
    bounds = np.linspace(-1, 1, bins)
    bounds[0], bounds[-1] = -np.inf, np.inf
    exact = s >= 1 - 1e-5
    counts = []
    for low, high in zip(bounds[:-1], bounds[1:]):
        is_in = (s >= low) & (s < high) & ops.logical_not(exact) & words
        counts.append(ops.sum(ops.cast(is_in, "float32"), axis=-1))
    counts.append(ops.sum(ops.cast(exact & words, "float32"), axis=-1))
    return ops.log1p(ops.stack(counts, axis=-1))
