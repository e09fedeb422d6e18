"""A matrix product with a column."""

import keras
from keras import ops


class TermGating(keras.layers.Layer):
    def build(self, vectors_shape):
        self.kernel = self.add_weight(shape=(vectors_shape[-1],), initializer="random_normal", name="kernel")
        self.built = True

    def call(self, vectors, query_mask):
        logits = ops.squeeze(ops.matmul(vectors, ops.reshape(self.kernel, (-1, 1))), -1)
        logits = ops.cast(logits, "float32") + (1.0 - ops.cast(query_mask, "float32")) * -1e9
        return keras.activations.softmax(logits) * ops.cast(query_mask, "float32")
