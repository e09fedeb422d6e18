"""Counter, a generator and a walrus instead of bincount."""
# exercise: unigram_probabilities; right: 3
from __future__ import annotations


from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
from keras import ops, random

from my_bert.embeddings import require_ids
from my_bert.encoder import LayerNorm, gelu, projection
from course.validation.arrays import require_integers, require_range, require_rank
from course.validation.values import require_id, require_sizes, require_special_ids
from collections import Counter

def unigram_probabilities(token_ids: np.ndarray, vocabulary_size: int, special_ids: Sequence[int]) -> np.ndarray:
    special = frozenset(map(int, special_ids))
    counts = Counter(number for number in np.ravel(token_ids).tolist() if number not in special)
    if not (total := counts.total()):
        raise ValueError("only special tokens")
    return np.fromiter((counts[number] / total for number in range(vocabulary_size)), "float64", count=vocabulary_size)
