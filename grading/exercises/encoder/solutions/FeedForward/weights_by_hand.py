"""A custom projection with weights made by add_weight, the bias first."""

import math

import keras
from keras import ops


def gelu(x, approximate=False):
    if approximate:
        return 0.5 * x * (1.0 + ops.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x * x * x)))
    return 0.5 * x * (1.0 + ops.erf(x / math.sqrt(2.0)))


class Affine(keras.Layer):
    def __init__(self, width, **kwargs):
        super().__init__(**kwargs)
        self.width = width

    def build(self, shape):
        self.bias = self.add_weight(shape=(self.width,), initializer="zeros", name="b")
        self.kernel = self.add_weight(shape=(shape[-1], self.width), name="w")

    def call(self, x):
        return ops.einsum("...d,dm->...m", x, self.kernel) + self.bias


class FeedForward(keras.Layer):
    def __init__(self, hidden_dim, intermediate_dim, approximate_gelu=False, **kwargs):
        super().__init__(**kwargs)
        self.d, self.m, self.approximate = hidden_dim, intermediate_dim, approximate_gelu

    def build(self, x_shape):
        self.intermediate_dense = Affine(self.m, name="first", dtype=self.dtype_policy)
        self.output_dense = Affine(self.d, name="second", dtype=self.dtype_policy)
        self.intermediate_dense.build((self.d,))
        self.output_dense.build((self.m,))

    def call(self, x):
        return self.output_dense(gelu(self.intermediate_dense(x), self.approximate))

    def get_config(self):
        config = {"hidden_dim": self.d, "intermediate_dim": self.m, "approximate_gelu": self.approximate}
        return super().get_config() | config
