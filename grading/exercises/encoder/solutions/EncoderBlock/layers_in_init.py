"""__init__ creates all parts, without names, with a dropout layer for each part."""

import keras
from keras import layers, ops

from course.attention import MultiHeadAttention


class TwoLayers(keras.layers.Layer):
    def __init__(self, hidden_dim, intermediate_dim, approximate_gelu, **kwargs):
        super().__init__(**kwargs)
        self.approximate_gelu = approximate_gelu
        self.intermediate_dense = layers.Dense(intermediate_dim, dtype=self.dtype_policy)
        self.output_dense = layers.Dense(hidden_dim, dtype=self.dtype_policy)

    def build(self, x_shape):
        self.intermediate_dense.build(x_shape)
        self.output_dense.build((*x_shape[:-1], self.intermediate_dense.units))

    def call(self, x):
        x = self.intermediate_dense(x)
        if self.approximate_gelu:
            x = 0.5 * x * (1 + ops.tanh(0.7978845608 * (x + 0.044715 * x**3)))
        else:
            x = 0.5 * x * (1 + ops.erf(x * 0.70710678118))
        return self.output_dense(x)


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

        self.attention_norm = layers.LayerNormalization(epsilon=epsilon, dtype=self.dtype_policy)
        self.attention = MultiHeadAttention(hidden_dim, num_heads, self.attention_dropout, dtype=self.dtype_policy)
        self.drop1 = layers.Dropout(dropout, dtype=self.dtype_policy)
        self.feed_forward_norm = layers.LayerNormalization(epsilon=epsilon, dtype=self.dtype_policy)
        self.feed_forward = TwoLayers(hidden_dim, intermediate_dim, approximate_gelu, dtype=self.dtype_policy)
        self.drop2 = layers.Dropout(dropout, dtype=self.dtype_policy)

    def build(self, x_shape):
        for part in (self.attention_norm, self.attention, self.feed_forward_norm, self.feed_forward):
            part.build(x_shape)

    def call(self, x, attention_mask=None, training=None):
        if self.norm_first:
            x = x + self.drop1(self.attention(self.attention_norm(x), attention_mask=attention_mask), training=training)
            x = x + self.drop2(self.feed_forward(self.feed_forward_norm(x)), training=training)
            return x
        attended = self.attention(x, attention_mask=attention_mask)
        x = self.attention_norm(layers.add([x, self.drop1(attended, training=training)]))
        x = self.feed_forward_norm(layers.add([x, self.drop2(self.feed_forward(x), training=training)]))
        return x

    def get_config(self):
        names = "hidden_dim num_heads intermediate_dim dropout norm_first attention_dropout approximate_gelu epsilon"
        return {**super().get_config(), **{name: getattr(self, name) for name in names.split()}}
