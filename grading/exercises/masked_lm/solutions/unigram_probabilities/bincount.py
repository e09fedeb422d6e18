"""Counts with bincount, and sets the special tokens to 0 before dividing."""

import numpy as np


def unigram_probabilities(token_ids, vocabulary_size, special_ids):
    counts = np.bincount(np.asarray(token_ids).reshape(-1), minlength=vocabulary_size)
    counts[np.asarray(special_ids, dtype=int)] = 0
    return counts / counts.sum()
