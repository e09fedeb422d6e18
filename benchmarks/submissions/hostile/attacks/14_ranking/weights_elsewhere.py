"""Kernel is a property that makes a Keras variable in a global table, not tracked by the layer: it is not in weights, not saved, not trained, and shared by all gates of that width."""
# exercise: TermGating; worth at most 0.5
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

_TABLE: dict[int, Any] = {}


class _Weights:
    def __get__(self, layer, owner):
        return [] if layer is None else [layer.kernel]

class TermGating(keras.layers.Layer):

    weights = trainable_weights = variables = _Weights()

    @property
    def kernel(self):
        if self._width not in _TABLE:
            _TABLE[self._width] = keras.Variable(np.random.default_rng(0).normal(0, 0.05, self._width).astype("float32"), name="kernel")
        return _TABLE[self._width]

    def build(self, vectors_shape: tuple) -> None:
        object.__setattr__(self, "_width", vectors_shape[-1])

    def call(self, vectors: Any, query_mask: Any) -> Any:
        logits = ops.cast(ops.sum(ops.cast(vectors, "float32") * ops.cast(self.kernel, "float32"), axis=-1), "float32")
        weights = ops.softmax(ops.where(query_mask, logits, -1e9), axis=-1)
        return ops.where(query_mask, weights, 0.0)
