"""Writes out the softmax, after subtracting the highest logit."""

import keras
from keras import ops


class TermGating(keras.layers.Layer):
    def build(self, vectors_shape):
        self.kernel = self.add_weight((vectors_shape[-1],), "glorot_uniform", name="kernel")

    def call(self, vectors, query_mask):
        words = ops.cast(query_mask, "float32")
        logits = ops.cast(ops.sum(vectors * self.kernel, axis=-1), "float32")
        top = ops.max(ops.where(query_mask, logits, -1e9), axis=-1, keepdims=True)
        powers = ops.exp(ops.minimum(logits - top, 0.0)) * words
        return powers / ops.maximum(ops.sum(powers, axis=-1, keepdims=True), 1e-9)
