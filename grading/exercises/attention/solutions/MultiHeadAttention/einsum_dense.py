"""Kernels of (width, heads, head_dim), as in keras.layers.MultiHeadAttention."""

import math

from keras import layers, ops


class MultiHeadAttention(layers.Layer):
    def __init__(self, hidden_dim, num_heads, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        if hidden_dim % num_heads != 0:
            raise ValueError("hidden_dim must be divisible by num_heads")
        self.hidden_dim = hidden_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.dropout_layer = layers.Dropout(dropout, dtype=self.dtype_policy)

    def build(self, inputs_shape, context_shape=None):
        head_dim = self.hidden_dim // self.num_heads

        def to_heads(name):
            return layers.EinsumDense(
                "bld,dhk->bhlk",
                output_shape=(self.num_heads, None, head_dim),
                bias_axes="hk",
                name=name,
                dtype=self.dtype_policy,
            )

        self.to_query, self.to_key, self.to_value = to_heads("query"), to_heads("key"), to_heads("value")
        self.from_heads = layers.EinsumDense(
            "bhlk,hko->blo",
            output_shape=(None, self.hidden_dim),
            bias_axes="o",
            name="output",
            dtype=self.dtype_policy,
        )
        self.to_query.build(inputs_shape)
        self.to_key.build(context_shape or inputs_shape)
        self.to_value.build(context_shape or inputs_shape)
        self.from_heads.build((None, self.num_heads, None, head_dim))

    def call(self, inputs, context=None, attention_mask=None, training=None, return_weights=False):
        context = inputs if context is None else context
        query = self.to_query(inputs) / math.sqrt(self.hidden_dim // self.num_heads)
        key, value = self.to_key(context), self.to_value(context)
        scores = ops.cast(ops.einsum("bhqk,bhsk->bhqs", query, key), "float32")
        if attention_mask is not None:
            if len(attention_mask.shape) == 2:
                attention_mask = attention_mask[None, None]
            elif len(attention_mask.shape) == 3:
                attention_mask = attention_mask[:, None]
            scores = ops.where(attention_mask, scores, -1e9)
        weights = ops.cast(ops.softmax(scores), self.compute_dtype)
        dropped = self.dropout_layer(weights, training=training)
        output = self.from_heads(ops.einsum("bhqs,bhsk->bhqk", dropped, value))
        return (output, weights) if return_weights else output

    def get_config(self):
        config = super().get_config()
        config["hidden_dim"] = self.hidden_dim
        config["num_heads"] = self.num_heads
        config["dropout"] = self.dropout
        return config
