"""A text is right if no logit is higher than that of its label."""

import numpy as np


def accuracy(labels, logits):
    of_label = np.take_along_axis(logits, labels[:, None], axis=1)
    return np.count_nonzero((logits <= of_label).all(axis=1)) / labels.shape[0]
