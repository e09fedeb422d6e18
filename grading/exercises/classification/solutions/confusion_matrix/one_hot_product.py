"""A product of one-hot matrices: the sum over texts of (class is i) times (prediction is j)."""

import numpy as np


def confusion_matrix(labels, predictions, num_classes):
    classes = np.eye(num_classes, dtype="int64")
    return classes[labels].T @ classes[predictions]
