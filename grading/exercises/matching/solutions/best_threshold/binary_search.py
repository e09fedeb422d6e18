"""For each candidate, two binary searches count the pairs and the matches above it."""

import numpy as np


def best_threshold(scores, labels, beta=1.0):
    scores = np.asarray(scores, dtype="float64")
    everything, positive = np.sort(scores), np.sort(scores[np.asarray(labels) == 1])
    levels = sorted(set(scores.tolist()))
    candidates = [levels[0]] + [(low + high) / 2 for low, high in zip(levels, levels[1:])]
    best = None
    for candidate in reversed(candidates):
        said = len(everything) - np.searchsorted(everything, candidate)
        hits = len(positive) - np.searchsorted(positive, candidate)
        missed = len(positive) - hits
        f = (1 + beta**2) * hits / ((1 + beta**2) * hits + beta**2 * missed + (said - hits))
        if best is None or f > best[1]:
            best = (float(candidate), float(f))
    return best
