"""Each projection is a small Sequential model that also splits or merges the heads."""

import math

import keras
from keras import layers, ops


class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, hidden_dim, num_heads, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        self.hidden_dim = hidden_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.dropout_layer = layers.Dropout(dropout, dtype=self.dtype_policy)

    def build(self, inputs_shape, context_shape=None):
        policy = self.dtype_policy
        head_dim = self.hidden_dim // self.num_heads

        def split(name, width):
            return keras.Sequential(
                [
                    layers.Input((None, width)),
                    layers.Dense(self.hidden_dim, name=name, dtype=policy),
                    layers.Reshape((-1, self.num_heads, head_dim), dtype=policy),
                    layers.Permute((2, 1, 3), dtype=policy),
                ]
            )

        context_width = (context_shape or inputs_shape)[-1]
        self.to_query = split("query", inputs_shape[-1])
        self.to_key = split("key", context_width)
        self.to_value = split("value", context_width)
        self.to_output = keras.Sequential(
            [
                layers.Input((self.num_heads, None, head_dim)),
                layers.Permute((2, 1, 3), dtype=policy),
                layers.Reshape((-1, self.hidden_dim), dtype=policy),
                layers.Dense(self.hidden_dim, name="output", dtype=policy),
            ]
        )

    def call(self, inputs, context=None, attention_mask=None, training=None, return_weights=False):
        context = inputs if context is None else context
        query, key, value = self.to_query(inputs), self.to_key(context), self.to_value(context)
        scores = ops.matmul(query, ops.swapaxes(key, 2, 3)) / math.sqrt(query.shape[-1])
        if attention_mask is not None and len(attention_mask.shape) == 3:
            attention_mask = attention_mask[:, None, :, :]
        softmax = layers.Softmax(dtype="float32")
        weights = ops.cast(softmax(scores, mask=attention_mask), value.dtype)
        dropped = self.dropout_layer(weights, training=training)
        output = self.to_output(ops.matmul(dropped, value))
        return (output, weights) if return_weights else output

    def get_config(self):
        config = {"hidden_dim": self.hidden_dim, "num_heads": self.num_heads, "dropout": self.dropout}
        return {**super().get_config(), **config}
