"""Counts pairs and matches for each distinct score, and sums the counts from the top."""

import numpy as np


def best_threshold(scores, labels, beta=1.0):
    different, which = np.unique(scores, return_inverse=True)
    matches = np.bincount(which, weights=np.asarray(labels, float))[::-1].cumsum()
    said = np.bincount(which)[::-1].cumsum()
    recall, precision = matches / matches[-1], matches / said
    with np.errstate(invalid="ignore"):
        f = np.nan_to_num((1 + beta**2) * precision * recall / (beta**2 * precision + recall))
    best = np.flatnonzero(f >= f.max() - 1e-12)[0]
    descending = different[::-1].astype(float)
    lower = descending[best + 1] if best + 1 < len(descending) else descending[best]
    return float(0.5 * descending[best] + 0.5 * lower), float(f[best])
