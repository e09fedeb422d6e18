"""Computes the products with einsum, and masks padding twice."""

import keras
from keras import ops


class TermGating(keras.layers.Layer):
    def build(self, vectors_shape):
        self.kernel = self.add_weight(
            (vectors_shape[-1],), keras.initializers.TruncatedNormal(stddev=0.02), name="kernel"
        )

    def call(self, vectors, query_mask):
        logits = ops.cast(ops.einsum("bqw,w->bq", vectors, self.kernel), "float32")
        low = ops.where(query_mask, logits, ops.full_like(logits, -1e30))
        weights = ops.softmax(low, axis=1)
        return ops.where(query_mask, weights, ops.zeros_like(weights))
