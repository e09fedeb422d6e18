"""Plain Python: a Counter of the words, then a list."""

from collections import Counter

import numpy as np


def unigram_probabilities(token_ids, vocabulary_size, special_ids):
    special = set(special_ids)
    counts = Counter(word for word in token_ids.flatten().tolist() if word not in special)
    total = sum(counts.values())
    return np.array([counts[word] / total for word in range(vocabulary_size)])
