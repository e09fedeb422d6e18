"""Counts each cell by comparing all texts with its two classes."""


def confusion_matrix(labels, predictions, num_classes):
    return [[int(((labels == i) & (predictions == j)).sum()) for j in range(num_classes)] for i in range(num_classes)]
