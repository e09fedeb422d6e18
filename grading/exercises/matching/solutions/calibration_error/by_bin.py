"""Loops over the bins, with one mask per bin."""

import numpy as np


def calibration_error(probabilities, labels, bins=10):
    probabilities, labels = np.asarray(probabilities), np.asarray(labels)
    error = 0.0
    for i in range(bins):
        inside = probabilities >= i / bins
        if i < bins - 1:
            inside &= probabilities < (i + 1) / bins
        if inside.any():
            error += inside.mean() * abs(probabilities[inside].mean() - labels[inside].mean())
    return float(error)
