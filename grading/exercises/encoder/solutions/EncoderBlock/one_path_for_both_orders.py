"""Both orders in one: each norm stands before or after its part."""

import math

import keras
from keras import ops

from course.attention import MultiHeadAttention


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
        self.attention = MultiHeadAttention(self.hidden_dim, self.num_heads, self.attention_dropout, dtype=policy)
        self.feed_forward = FeedForward(self.hidden_dim, self.intermediate_dim, self.approximate_gelu, dtype=policy)
        self.attention_norm = keras.layers.LayerNormalization(epsilon=self.epsilon, dtype=policy)
        self.feed_forward_norm = keras.layers.LayerNormalization(epsilon=self.epsilon, dtype=policy)
        self.attention.build(x_shape)
        self.attention_norm.build(x_shape)
        self.feed_forward.build(x_shape)
        self.feed_forward_norm.build(x_shape)

    def around(self, x, norm, part):
        y = x + self.dropout_layer(part(norm(x) if self.norm_first else x))
        return y if self.norm_first else norm(y)

    def call(self, x, attention_mask=None):
        x = self.around(x, self.attention_norm, lambda y: self.attention(y, attention_mask=attention_mask))
        return self.around(x, self.feed_forward_norm, self.feed_forward)

    def get_config(self):
        names = "hidden_dim num_heads intermediate_dim dropout norm_first attention_dropout approximate_gelu epsilon"
        return {**super().get_config(), **{name: getattr(self, name) for name in names.split()}}
