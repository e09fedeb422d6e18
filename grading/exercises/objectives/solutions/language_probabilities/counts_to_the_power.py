import numpy as np


def language_probabilities(counts, alpha=0.3):
    powers = np.array([float(count) ** alpha if count else 0.0 for count in counts])
    return powers / powers.sum()
