"""A generator function inside, and a list of the other documents."""

import numpy as np

IS_NEXT, NOT_NEXT = 0, 1


def sentence_pairs(documents, seed=None):
    rng = np.random.default_rng(seed)
    kept = [[s for s in d if s.strip()] for d in documents]
    kept = [d for d in kept if d]
    if len(kept) < 2:
        raise ValueError(f"at least two documents are needed, got {len(kept)}")

    def pairs():
        for i, document in enumerate(kept):
            others = kept[:i] + kept[i + 1 :]
            for first, following in zip(document, document[1:]):
                if rng.random() < 0.5:
                    yield first, following, IS_NEXT
                else:
                    other = others[rng.integers(len(others))]
                    second = other[rng.integers(len(other))]
                    yield first, second, IS_NEXT if second == following else NOT_NEXT

    return list(pairs())
