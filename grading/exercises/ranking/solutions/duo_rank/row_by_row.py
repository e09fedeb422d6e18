"""Compares each candidate with all others in batches, without a table."""

import numpy as np


def duo_rank(candidates, compare, batch_size=32):
    candidates = np.array(candidates)
    scores = np.zeros(len(candidates))
    for place, candidate in enumerate(candidates):
        others = np.delete(candidates, place)
        while len(others):
            now, others = others[:batch_size], others[batch_size:]
            scores[place] += np.sum(compare(np.full(len(now), candidate), now))
    order = sorted(range(len(candidates)), key=lambda place: (-scores[place], place))
    return candidates[order], scores[order]
