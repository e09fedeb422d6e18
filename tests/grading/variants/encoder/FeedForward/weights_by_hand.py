"""No layers inside: two matrices, then two biases."""

import math

import keras
from keras import ops


def gelu(x, approximate=False):
    if approximate:
        return 0.5 * x * (1.0 + ops.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x * x * x)))
    return 0.5 * x * (1.0 + ops.erf(x / math.sqrt(2.0)))


class FeedForward(keras.Layer):
    def __init__(self, hidden_dim, intermediate_dim, approximate_gelu=False, **kwargs):
        super().__init__(**kwargs)
        self.d, self.m, self.approximate = hidden_dim, intermediate_dim, approximate_gelu

    def build(self, x_shape):
        self.w1 = self.add_weight(shape=(self.d, self.m), name="w1")
        self.w2 = self.add_weight(shape=(self.m, self.d), name="w2")
        self.b1 = self.add_weight(shape=(self.m,), initializer="zeros", name="b1")
        self.b2 = self.add_weight(shape=(self.d,), initializer="zeros", name="b2")

    def call(self, x):
        h = gelu(ops.einsum("...d,dm->...m", x, self.w1) + self.b1, self.approximate)
        return ops.einsum("...m,md->...d", h, self.w2) + self.b2

    def get_config(self):
        config = {"hidden_dim": self.d, "intermediate_dim": self.m, "approximate_gelu": self.approximate}
        return super().get_config() | config
