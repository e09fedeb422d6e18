"""Itertools.permutations in batches and a lambda key; scores in a dict."""
# exercise: duo_rank; right: 3
from __future__ import annotations


from collections.abc import Callable, Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from my_bert.encoder import BertEncoder, projection
from course.given.word_vectors import NearestVectors, stacked, unit_vectors, words_of_pairs
from course.validation.arrays import require_inputs
from course.validation.ranking import (
    require_answers,
    require_bins,
    require_candidates,
    require_index,
    require_kernels,
    require_masked,
    require_pairs,
    require_similarity,
    require_split,
    require_standardization,
    require_token_vectors,
)
from course.validation.values import require_instance, require_sizes
import itertools

def duo_rank(
    candidates: np.ndarray, compare: Callable[[np.ndarray, np.ndarray], Any], batch_size: int = 32
) -> tuple[np.ndarray, np.ndarray]:
    require_sizes(batch_size=batch_size)
    candidates = require_candidates(candidates)
    pairs, sums = itertools.permutations(range(len(candidates)), 2), [0.0] * len(candidates)
    while batch := tuple(itertools.islice(pairs, batch_size)):
        first, second = (candidates[list(side)] for side in zip(*batch, strict=True))
        for (ahead, _), share in zip(batch, require_answers(compare(first, second), len(batch)), strict=True):
            sums[ahead] += float(share)
    order = sorted(range(len(candidates)), key=lambda place: (-sums[place], place))
    return candidates[order], np.array([sums[place] for place in order])
