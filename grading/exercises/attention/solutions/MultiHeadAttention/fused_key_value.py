"""One projection computes keys and values, side by side in every head."""

import keras
import numpy as np
from keras import ops


class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, hidden_dim, num_heads, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        self.hidden_dim = hidden_dim
        self.num_heads = num_heads
        self.head_dim = hidden_dim // num_heads
        self.dropout = dropout
        self.drop = keras.layers.Dropout(dropout, dtype=self.dtype_policy)

    def build(self, inputs_shape, context_shape=None):
        self.queries = keras.layers.Dense(self.hidden_dim, name="queries", dtype=self.dtype_policy)
        self.keys_and_values = keras.layers.Dense(2 * self.hidden_dim, name="memory", dtype=self.dtype_policy)
        self.combine = keras.layers.Dense(self.hidden_dim, name="combine", dtype=self.dtype_policy)
        self.queries.build(inputs_shape)
        self.keys_and_values.build(context_shape or inputs_shape)
        self.combine.build((None, None, self.hidden_dim))

    def call(self, inputs, context=None, attention_mask=None, training=None, return_weights=False):
        memory = inputs if context is None else context
        batch, q_len = ops.shape(inputs)[0], ops.shape(inputs)[1]
        k_len = ops.shape(memory)[1]
        q = ops.reshape(self.queries(inputs), (batch, q_len, self.num_heads, self.head_dim))
        kv = ops.reshape(self.keys_and_values(memory), (batch, k_len, self.num_heads, 2 * self.head_dim))
        k, v = kv[..., : self.head_dim], kv[..., self.head_dim :]
        logits = ops.einsum("bqhd,bkhd->bhqk", q, k)
        logits = ops.cast(logits, "float32") / np.sqrt(self.head_dim)
        if attention_mask is not None:
            while len(attention_mask.shape) < 4:
                attention_mask = ops.expand_dims(attention_mask, -3)
            logits += (1.0 - ops.cast(attention_mask, "float32")) * np.finfo("float32").min
        weights = ops.cast(ops.softmax(logits, axis=-1), self.compute_dtype)
        output = ops.einsum("bhqk,bkhd->bqhd", self.drop(weights, training=training), v)
        output = self.combine(ops.reshape(output, (batch, q_len, self.hidden_dim)))
        return (output, weights) if return_weights else output

    def get_config(self):
        return {
            **super().get_config(),
            "hidden_dim": self.hidden_dim,
            "num_heads": self.num_heads,
            "dropout": self.dropout,
        }
