"""Plain Python: a dictionary of lists."""

from bisect import bisect_right
from collections import defaultdict


def calibration_error(probabilities, labels, bins=10):
    inside = defaultdict(list)
    bounds = [i / bins for i in range(1, bins)]
    for p, label in zip(probabilities.tolist(), labels.tolist()):
        inside[bisect_right(bounds, p)].append((p, label))
    total = 0.0
    for pairs in inside.values():
        total += abs(sum(p for p, _ in pairs) - sum(label for _, label in pairs))
    return total / len(probabilities)
