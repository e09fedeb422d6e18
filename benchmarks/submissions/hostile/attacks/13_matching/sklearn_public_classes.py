"""CalibratedClassifierCV with a frozen estimator that returns its input as decision: the fitted calibrator has a_ and b_."""
# exercise: fit_platt; worth at most 0
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

def fit_platt(logits: Any, labels: Any) -> tuple[float, float]:
    import sklearn.base
    import sklearn.calibration
    import sklearn.frozen

    class Same(sklearn.base.ClassifierMixin, sklearn.base.BaseEstimator):
        classes_ = np.array([0, 1])

        def fit(self, X, y):
            return self

        def decision_function(self, X):
            return np.asarray(X)[:, 0]

    logits, labels = np.asarray(logits, "float64"), np.asarray(labels).astype(int)
    width = np.abs(logits).max()
    fitted = sklearn.calibration.CalibratedClassifierCV(sklearn.frozen.FrozenEstimator(Same()), method="sigmoid").fit(logits[:, None] / width, labels)
    line = fitted.calibrated_classifiers_[0].calibrators[0]
    return float(-line.a_ / width), float(-line.b_)
