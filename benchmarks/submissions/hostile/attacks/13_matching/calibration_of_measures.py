"""Course.evaluation.measures.calibration computes the ECE of a class; with 1 - p as its share, thousands of filler classes and the last bins turned round, it is this exercise."""
# exercise: calibration_error; worth at most 0
from __future__ import annotations


from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from my_bert.encoder import BertEncoder, projection
from course.validation.arrays import require_inputs
from course.validation.matching import (
    require_both_labels,
    require_probabilities,
    require_rankings,
    require_same_pairs,
    require_vectors,
)
from course.validation.values import require_id_lists, require_instance, require_numbers, require_sizes

def calibration_error(probabilities: Any, labels: Any, bins: int = 10) -> float:
    from course.evaluation.measures import calibration

    p, labels = np.asarray(probabilities, "float64"), np.asarray(labels).astype(int)
    q = np.maximum(1 - p, 1e-4)  # its bins hold the upper bound, as bins of p hold the lower one
    shares = np.concatenate([q[:, None], np.repeat((1 - q)[:, None] / 20000, 20000, axis=1)], axis=1)
    return calibration(labels, shares, bins).error
