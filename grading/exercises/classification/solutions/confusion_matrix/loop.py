"""Text by text."""

import numpy as np


def confusion_matrix(labels, predictions, num_classes):
    matrix = np.zeros((num_classes, num_classes), dtype=int)
    for true, predicted in zip(labels, predictions):
        matrix[true][predicted] += 1
    return matrix
