import numpy as np


def language_probabilities(counts, alpha=0.3):
    counts = np.array(counts, dtype="float64")
    there = counts > 0
    logs = alpha * np.log(counts[there])
    powers = np.exp(logs - logs.max())
    result = np.zeros(len(counts))
    result[there] = powers / powers.sum()
    return result
