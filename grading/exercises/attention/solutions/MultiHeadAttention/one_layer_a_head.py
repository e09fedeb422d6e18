"""A Head class with three small projections of its own, and a list of them."""

import keras
from keras import layers, ops


class Head(layers.Layer):
    def __init__(self, head_dim, dropout, **kwargs):
        super().__init__(**kwargs)
        self.query = layers.Dense(head_dim, dtype=self.dtype_policy)
        self.key = layers.Dense(head_dim, dtype=self.dtype_policy)
        self.value = layers.Dense(head_dim, dtype=self.dtype_policy)
        self.drop = layers.Dropout(dropout, dtype=self.dtype_policy)

    def build(self, inputs_shape, context_shape):
        self.query.build(inputs_shape)
        self.key.build(context_shape)
        self.value.build(context_shape)

    def call(self, inputs, context, attention_mask=None, training=None):
        q, k, v = self.query(inputs), self.key(context), self.value(context)
        scores = ops.cast(q @ ops.transpose(k, (0, 2, 1)), "float32") * k.shape[-1] ** -0.5
        if attention_mask is not None:
            scores = ops.where(attention_mask, scores, -1e9)
        weights = ops.cast(ops.softmax(scores, axis=-1), v.dtype)
        return self.drop(weights, training=training) @ v, weights


class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, hidden_dim, num_heads, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        self.hidden_dim = hidden_dim
        self.num_heads = num_heads
        self.dropout = dropout

    def build(self, inputs_shape, context_shape=None):
        head_dim = self.hidden_dim // self.num_heads
        self.heads = [Head(head_dim, self.dropout, dtype=self.dtype_policy) for _ in range(self.num_heads)]
        for head in self.heads:
            head.build(inputs_shape, context_shape or inputs_shape)
        self.projection = layers.Dense(self.hidden_dim, dtype=self.dtype_policy)
        self.projection.build((None, None, self.hidden_dim))

    def call(self, inputs, context=None, attention_mask=None, training=None, return_weights=False):
        if context is None:
            context = inputs
        results = []
        for i, head in enumerate(self.heads):
            mask = attention_mask
            if mask is not None and len(mask.shape) == 4:
                mask = mask[:, min(i, mask.shape[1] - 1)]
            results.append(head(inputs, context, attention_mask=mask, training=training))
        output = self.projection(ops.concatenate([output for output, _ in results], axis=-1))
        if return_weights:
            return output, ops.stack([weights for _, weights in results], axis=1)
        return output

    def get_config(self):
        config = super().get_config()
        config.update(hidden_dim=self.hidden_dim, num_heads=self.num_heads, dropout=self.dropout)
        return config
