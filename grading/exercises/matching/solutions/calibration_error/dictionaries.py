"""Plain Python: a dictionary of lists."""

from collections import defaultdict


def calibration_error(probabilities, labels, bins=10):
    inside = defaultdict(list)
    for p, label in zip(probabilities.tolist(), labels.tolist()):
        inside[min(int(p * bins), bins - 1)].append((p, label))
    total = 0.0
    for pairs in inside.values():
        total += abs(sum(p for p, _ in pairs) - sum(label for _, label in pairs))
    return total / len(probabilities)
