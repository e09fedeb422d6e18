"""Adds 1 at the id of every token."""

import numpy as np


def unigram_probabilities(token_ids, vocabulary_size, special_ids):
    probabilities = np.zeros(vocabulary_size)
    np.add.at(probabilities, token_ids, 1)
    for special in special_ids:
        probabilities[special] = 0
    probabilities /= np.sum(probabilities)
    return probabilities
