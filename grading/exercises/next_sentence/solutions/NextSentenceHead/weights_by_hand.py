"""A matrix and a bias made with add_weight, the bias first."""

import keras
from keras import ops


class NextSentenceHead(keras.layers.Layer):
    def build(self, pooled_output_shape):
        self.b = self.add_weight(shape=(2,), initializer="zeros", name="b")
        self.w = self.add_weight(shape=(pooled_output_shape[-1], 2), initializer="glorot_uniform", name="w")

    def call(self, pooled_output):
        return ops.matmul(pooled_output, self.w) + self.b
