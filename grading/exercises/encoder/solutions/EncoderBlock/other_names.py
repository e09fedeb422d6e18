"""The parts in another order, with other names for the weights; norms written out by hand."""

import math

import keras
from keras import ops

from course.attention import MultiHeadAttention


def gelu(x, approximate=False):
    if approximate:
        return 0.5 * x * (1.0 + ops.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x * x * x)))
    return 0.5 * x * (1.0 + ops.erf(x / math.sqrt(2.0)))


def layer_normalization(x, gamma, beta, epsilon):
    y = ops.cast(x, "float32")
    mean, variance = ops.moments(y, axes=[-1], keepdims=True)
    y = (y - mean) / ops.sqrt(variance + epsilon)
    return ops.cast(y * ops.cast(gamma, "float32") + ops.cast(beta, "float32"), x.dtype)


class Norm(keras.layers.Layer):
    def __init__(self, epsilon, **kwargs):
        super().__init__(**kwargs)
        self.epsilon = epsilon

    def build(self, shape):
        self.beta = self.add_weight(shape=shape[-1:], initializer="zeros", name="beta")
        self.gamma = self.add_weight(shape=shape[-1:], initializer="ones", name="gamma")

    def call(self, x):
        return layer_normalization(x, self.gamma, self.beta, self.epsilon)


class FeedForward(keras.layers.Layer):
    def __init__(self, hidden_dim, intermediate_dim, approximate_gelu=False, **kwargs):
        super().__init__(**kwargs)
        self.hidden_dim = hidden_dim
        self.intermediate_dim = intermediate_dim
        self.approximate_gelu = approximate_gelu

    def build(self, x_shape):
        self.intermediate_dense = keras.layers.Dense(
            self.intermediate_dim, name="intermediate", dtype=self.dtype_policy
        )
        self.output_dense = keras.layers.Dense(self.hidden_dim, name="output", dtype=self.dtype_policy)
        self.intermediate_dense.build(x_shape)
        self.output_dense.build((*x_shape[:-1], self.intermediate_dim))

    def call(self, x):
        return self.output_dense(gelu(self.intermediate_dense(x), self.approximate_gelu))


class EncoderBlock(keras.layers.Layer):
    def __init__(
        self,
        hidden_dim,
        num_heads,
        intermediate_dim,
        dropout=0.1,
        norm_first=False,
        *,
        attention_dropout=None,
        approximate_gelu=False,
        epsilon=1e-12,
        **kwargs,
    ):
        super().__init__(**kwargs)
        self.hidden_dim = hidden_dim
        self.num_heads = num_heads
        self.intermediate_dim = intermediate_dim
        self.dropout = dropout
        self.norm_first = norm_first
        self.attention_dropout = dropout if attention_dropout is None else attention_dropout
        self.approximate_gelu = approximate_gelu
        self.epsilon = epsilon
        self.dropout_layer = keras.layers.Dropout(dropout, dtype=self.dtype_policy)

    def build(self, x_shape):
        policy = self.dtype_policy
        self.feed_forward_norm = Norm(self.epsilon, name="ff_norm", dtype=policy)
        self.attention_norm = Norm(self.epsilon, name="att_norm", dtype=policy)
        self.feed_forward = FeedForward(
            self.hidden_dim, self.intermediate_dim, self.approximate_gelu, name="ff", dtype=policy
        )
        self.attention = MultiHeadAttention(
            self.hidden_dim, self.num_heads, self.attention_dropout, name="att", dtype=policy
        )
        for part in (self.feed_forward_norm, self.attention_norm, self.feed_forward, self.attention):
            part.build(x_shape)

    def call(self, x, attention_mask=None):
        if not self.norm_first:
            attended = self.attention(x, attention_mask=attention_mask)
            middle = self.attention_norm(x + self.dropout_layer(attended))
            return self.feed_forward_norm(middle + self.dropout_layer(self.feed_forward(middle)))
        attended = self.attention(self.attention_norm(x), attention_mask=attention_mask)
        middle = x + self.dropout_layer(attended)
        return middle + self.dropout_layer(self.feed_forward(self.feed_forward_norm(middle)))

    def get_config(self):
        names = "hidden_dim num_heads intermediate_dim dropout norm_first attention_dropout approximate_gelu epsilon"
        return {**super().get_config(), **{name: getattr(self, name) for name in names.split()}}
