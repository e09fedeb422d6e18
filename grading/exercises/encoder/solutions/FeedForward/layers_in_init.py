"""__init__ creates both projections, the second one first and without names."""

import math

import keras
from keras import layers, ops


def gelu(x, approximate=False):
    if approximate:
        return 0.5 * x * (1.0 + ops.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x * x * x)))
    return 0.5 * x * (1.0 + ops.erf(x / math.sqrt(2.0)))


class FeedForward(keras.layers.Layer):
    def __init__(self, hidden_dim, intermediate_dim, approximate_gelu=False, **kwargs):
        super().__init__(**kwargs)
        self.hidden_dim = hidden_dim
        self.intermediate_dim = intermediate_dim
        self.approximate_gelu = approximate_gelu
        self.output_dense = layers.Dense(hidden_dim, dtype=self.dtype_policy)
        self.intermediate_dense = layers.Dense(intermediate_dim, dtype=self.dtype_policy)

    def build(self, x_shape):
        self.output_dense.build((*x_shape[:-1], self.intermediate_dim))
        self.intermediate_dense.build(x_shape)

    def call(self, x):
        return self.output_dense(gelu(self.intermediate_dense(x), self.approximate_gelu))

    def get_config(self):
        config = super().get_config()
        config["hidden_dim"] = self.hidden_dim
        config["intermediate_dim"] = self.intermediate_dim
        config["approximate_gelu"] = self.approximate_gelu
        return config
