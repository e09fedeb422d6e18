"""rng.choice on indices and on sentences, which makes NumPy texts, in a helper that draws the sentence."""

from itertools import pairwise

import numpy as np


def draw_other(documents, own, rng):
    candidates = [index for index in range(len(documents)) if index != own]
    return rng.choice(documents[rng.choice(candidates)])


def sentence_pairs(documents, seed=None):
    rng = np.random.default_rng(seed)
    documents = [list(filter(str.strip, document)) for document in documents]
    documents = list(filter(None, documents))
    pairs = []
    for own, document in enumerate(documents):
        for first, true_next in pairwise(document):
            second = true_next if rng.choice([True, False]) else draw_other(documents, own, rng)
            pairs.append((first, second, np.int64(second != true_next)))
    return pairs
