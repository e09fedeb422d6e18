"""Tosses all coins and draws all documents in arrays before the pairs are made."""

import numpy as np


def sentence_pairs(documents, seed=None):
    rng = np.random.default_rng(seed)
    docs = [d for d in ([s for s in doc if s and not s.isspace()] for doc in documents) if d]
    places = [(i, j) for i, d in enumerate(docs) for j in range(len(d) - 1)]
    owner = np.array([i for i, _ in places])
    lengths = np.array([len(d) for d in docs])

    is_random = rng.random(len(places)) >= 0.5
    other = (owner + rng.integers(1, len(docs), len(places))) % len(docs)  # any distance but 0
    inside = (rng.random(len(places)) * lengths[other]).astype(int)

    result = []
    for n, (i, j) in enumerate(places):
        true_next = docs[i][j + 1]
        second = docs[other[n]][inside[n]] if is_random[n] else true_next
        result.append((docs[i][j], second, 0 if second == true_next else 1))
    return result
