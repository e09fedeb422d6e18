"""GELU is the activation of the first projection."""

import functools
import math

import keras
from keras import ops


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

    def build(self, x_shape):
        activation = functools.partial(gelu, approximate=self.approximate_gelu)
        self.intermediate_dense = keras.layers.Dense(
            self.intermediate_dim, activation=activation, dtype=self.dtype_policy
        )
        self.output_dense = keras.layers.Dense(self.hidden_dim, dtype=self.dtype_policy)
        self.intermediate_dense.build(x_shape)
        self.output_dense.build(tuple(x_shape[:-1]) + (self.intermediate_dim,))

    def call(self, x):
        return self.output_dense(self.intermediate_dense(x))

    def get_config(self):
        return {
            **super().get_config(),
            "hidden_dim": self.hidden_dim,
            "intermediate_dim": self.intermediate_dim,
            "approximate_gelu": self.approximate_gelu,
        }
