"""Permutations of two, and a dictionary of sums."""

from itertools import permutations

import numpy as np


def duo_rank(candidates, compare, batch_size=32):
    ids = [int(one) for one in candidates]
    sums = dict.fromkeys(ids, 0.0)
    pairs = list(permutations(ids, 2))
    for begin in range(0, len(pairs), batch_size):
        batch = pairs[begin : begin + batch_size]
        first, second = np.array(batch).T
        for one, p in zip(first.tolist(), np.asarray(compare(first, second)).tolist()):
            sums[one] += p
    ranked = sorted(ids, key=lambda one: -sums[one])
    return np.array(ranked), np.array([sums[one] for one in ranked])
