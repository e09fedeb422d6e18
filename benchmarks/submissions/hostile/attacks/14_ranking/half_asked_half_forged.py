"""Only half of the pairs are asked for, the others are 1 - p; then the list of calls that compare keeps in its closure or attributes is filled up with the pairs that were not asked."""
# exercise: duo_rank; worth at most 1
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

def duo_rank(
    candidates: np.ndarray, compare: Callable[[np.ndarray, np.ndarray], Any], batch_size: int = 32
) -> tuple[np.ndarray, np.ndarray]:
    candidates = np.asarray(candidates)
    scores = np.zeros(len(candidates))
    first, second = np.triu_indices(len(candidates), 1)
    for begin in range(0, len(first), batch_size):
        a, b = first[begin : begin + batch_size], second[begin : begin + batch_size]
        p = np.asarray(compare(candidates[a], candidates[b]))
        np.add.at(scores, a, p)
        np.add.at(scores, b, 1 - p)
        for cell in getattr(compare, "__closure__", None) or ():
            if isinstance(cell.cell_contents, list):
                cell.cell_contents.append((candidates[b], candidates[a]))
        for name, value in getattr(compare, "__dict__", {}).items():
            if isinstance(value, list):
                value.append((candidates[b], candidates[a]))
            elif type(value) is int:
                setattr(compare, name, value + (len(b) if value >= len(b) else 1))
    order = np.argsort(-scores, kind="stable")
    return candidates[order], scores[order]
