"""Three histograms of the same bins: pairs, probabilities, matches."""

import numpy as np


def calibration_error(probabilities, labels, bins=10):
    edges = np.arange(bins + 1) / bins
    counts, _ = np.histogram(probabilities, edges)
    sums, _ = np.histogram(probabilities, edges, weights=probabilities)
    matches, _ = np.histogram(probabilities, edges, weights=np.asarray(labels, float))
    filled = counts > 0
    gaps = np.abs(sums[filled] / counts[filled] - matches[filled] / counts[filled])
    return float(np.average(gaps, weights=counts[filled]))
