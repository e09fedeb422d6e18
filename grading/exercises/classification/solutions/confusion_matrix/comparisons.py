"""Counts each cell by comparing all texts with its two classes."""

import numpy as np


def confusion_matrix(labels, predictions, num_classes):
    classes = range(num_classes)
    return np.array([[((labels == i) & (predictions == j)).sum() for j in classes] for i in classes])
