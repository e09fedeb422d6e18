"""Drops the special tokens first, and counts the rest with unique."""

import numpy as np


def unigram_probabilities(token_ids, vocabulary_size, special_ids):
    words = token_ids[~np.isin(token_ids, special_ids)]
    found, counts = np.unique(words, return_counts=True)
    probabilities = np.zeros(vocabulary_size)
    probabilities[found] = counts / len(words)
    return probabilities
