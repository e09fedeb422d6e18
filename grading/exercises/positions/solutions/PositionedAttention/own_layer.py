"""A separate layer, with one projection for queries, keys and values if there is no context."""

import math

from course.positions import alibi_bias, scaled_frequencies
from keras import layers, ops


class PositionedAttention(layers.Layer):
    def __init__(self, hidden_dim, num_heads, dropout=0.0, *, positions="rope", scaling=None, **kwargs):
        super().__init__(**kwargs)
        assert hidden_dim % num_heads == 0
        self.hidden_dim, self.num_heads, self.dropout = hidden_dim, num_heads, dropout
        self.positions, self.scaling = positions, scaling or {}
        self.head_dim = hidden_dim // num_heads
        self.drop = layers.Dropout(dropout, dtype=self.dtype_policy)

    def build(self, inputs_shape, context_shape=None):
        self.cross = context_shape is not None
        dense = lambda units, name: layers.Dense(units, name=name, dtype=self.dtype_policy)
        if self.cross:
            self.q, self.kv = dense(self.hidden_dim, "query"), dense(2 * self.hidden_dim, "key_value")
            self.q.build(inputs_shape)
            self.kv.build(context_shape)
        else:
            self.qkv = dense(3 * self.hidden_dim, "query_key_value")
            self.qkv.build(inputs_shape)
        self.out = dense(self.hidden_dim, "output")
        self.out.build((None, None, self.hidden_dim))

    def to_heads(self, x):
        b, n, _ = ops.shape(x)
        return ops.transpose(ops.reshape(x, (b, n, self.num_heads, self.head_dim)), (0, 2, 1, 3))

    def turn(self, x):
        theta, factor = scaled_frequencies(self.head_dim, **self.scaling)
        angle = ops.outer(ops.cast(ops.arange(ops.shape(x)[2]), "float32"), theta)
        a, b = ops.split(ops.cast(x, "float32") * factor, 2, axis=-1)
        c, s = ops.cos(angle), ops.sin(angle)
        return ops.cast(ops.concatenate([a * c - b * s, b * c + a * s], axis=-1), x.dtype)

    def call(self, inputs, context=None, attention_mask=None, training=None, return_weights=False):
        if self.cross:
            q = self.q(inputs)
            k, v = ops.split(self.kv(context), 2, axis=-1)
        else:
            q, k, v = ops.split(self.qkv(inputs), 3, axis=-1)
        q, k, v = map(self.to_heads, (q, k, v))
        if self.positions == "rope":
            q, k = self.turn(q), self.turn(k)
        scores = ops.cast(ops.matmul(q / math.sqrt(self.head_dim), ops.swapaxes(k, -1, -2)), "float32")
        if self.positions == "alibi":
            scores += alibi_bias(self.num_heads, ops.shape(q)[2], ops.shape(k)[2])
        if attention_mask is not None:
            if len(attention_mask.shape) == 3:
                attention_mask = attention_mask[:, None]
            scores = ops.where(attention_mask, scores, -1e9)
        weights = ops.cast(ops.softmax(scores), v.dtype)
        mixed = ops.transpose(ops.matmul(self.drop(weights, training=training), v), (0, 2, 1, 3))
        output = self.out(ops.reshape(mixed, (ops.shape(mixed)[0], ops.shape(mixed)[1], self.hidden_dim)))
        return (output, weights) if return_weights else output

    def get_config(self):
        own = dict(hidden_dim=self.hidden_dim, num_heads=self.num_heads, dropout=self.dropout)
        return {**super().get_config(), **own, "positions": self.positions, "scaling": self.scaling}
