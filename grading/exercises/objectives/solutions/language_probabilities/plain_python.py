import numpy as np


def language_probabilities(counts, alpha=0.3):
    total = sum(counts)
    weights = []
    for count in counts:
        share = count / total
        weights.append(0 if share == 0 else share**alpha)
    return np.array([weight / sum(weights) for weight in weights])
