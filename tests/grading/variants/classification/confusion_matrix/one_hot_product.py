"""A product of one-hot matrices: the sum over texts of (is of class i) times (is taken for class j)."""

import numpy as np


def confusion_matrix(labels, predictions, num_classes):
    classes = np.eye(num_classes, dtype="int32")
    return classes[labels].T @ classes[predictions]
