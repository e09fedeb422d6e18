"""build and call as the lesson suggests, with the chapter's functions."""

import math

import keras
from keras import ops


def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.matmul(query / math.sqrt(query.shape[-1]), ops.swapaxes(key, -1, -2))
    scores = ops.cast(scores, "float32")
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    weights = ops.cast(ops.softmax(scores), value.dtype)
    return ops.matmul(weights, value), weights


def split_heads(x, num_heads):
    batch, length, hidden_dim = ops.shape(x)
    return ops.transpose(ops.reshape(x, (batch, length, num_heads, hidden_dim // num_heads)), (0, 2, 1, 3))


def merge_heads(x):
    batch, num_heads, length, head_dim = ops.shape(x)
    return ops.reshape(ops.transpose(x, (0, 2, 1, 3)), (batch, length, num_heads * head_dim))


class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, hidden_dim, num_heads, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        if hidden_dim % num_heads:
            raise ValueError(f"{num_heads} heads do not divide hidden_dim={hidden_dim}")
        self.hidden_dim = hidden_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.dropout_layer = keras.layers.Dropout(dropout, dtype=self.dtype_policy)

    def build(self, inputs_shape, context_shape=None):
        if context_shape is None:
            context_shape = inputs_shape
        self.query_dense = keras.layers.Dense(self.hidden_dim, name="query", dtype=self.dtype_policy)
        self.query_dense.build(inputs_shape)
        self.key_dense = keras.layers.Dense(self.hidden_dim, name="key", dtype=self.dtype_policy)
        self.key_dense.build(context_shape)
        self.value_dense = keras.layers.Dense(self.hidden_dim, name="value", dtype=self.dtype_policy)
        self.value_dense.build(context_shape)
        self.output_dense = keras.layers.Dense(self.hidden_dim, name="output", dtype=self.dtype_policy)
        self.output_dense.build((None, None, self.hidden_dim))

    def call(self, inputs, context=None, attention_mask=None, training=None, return_weights=False):
        if context is None:
            context = inputs
        mask = attention_mask
        if mask is not None and len(mask.shape) == 3:
            mask = ops.expand_dims(mask, 1)
        q = split_heads(self.query_dense(inputs), self.num_heads)
        k = split_heads(self.key_dense(context), self.num_heads)
        v = split_heads(self.value_dense(context), self.num_heads)
        _, weights = scaled_dot_product_attention(q, k, v, mask)
        dropped = self.dropout_layer(weights, training=training)
        output = self.output_dense(merge_heads(ops.matmul(dropped, v)))
        if return_weights:
            return output, weights
        return output

    def get_config(self):
        config = super().get_config()
        config.update(hidden_dim=self.hidden_dim, num_heads=self.num_heads, dropout=self.dropout)
        return config
