"""Each cell has one number, row * num_classes + column, and bincount counts these numbers."""

import numpy as np


def confusion_matrix(labels, predictions, num_classes):
    cells = labels * num_classes + predictions
    return np.bincount(cells, minlength=num_classes**2).reshape(num_classes, num_classes)
