"""No layers inside: the matrices and biases are made with add_weight, all matrices first."""

import keras
from keras import ops


class MultiHeadAttention(keras.Layer):
    def __init__(self, hidden_dim, num_heads, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        self.hidden_dim = hidden_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.seeds = keras.random.SeedGenerator()

    def build(self, inputs_shape, context_shape=None):
        width = inputs_shape[-1]
        context_width = width if context_shape is None else context_shape[-1]
        d = self.hidden_dim
        self.w_q = self.add_weight(shape=(width, d), initializer="glorot_uniform", name="w_q")
        self.w_k = self.add_weight(shape=(context_width, d), initializer="glorot_uniform", name="w_k")
        self.w_v = self.add_weight(shape=(context_width, d), initializer="glorot_uniform", name="w_v")
        self.w_o = self.add_weight(shape=(d, d), initializer="glorot_uniform", name="w_o")
        self.b_q = self.add_weight(shape=(d,), initializer="zeros", name="b_q")
        self.b_k = self.add_weight(shape=(d,), initializer="zeros", name="b_k")
        self.b_v = self.add_weight(shape=(d,), initializer="zeros", name="b_v")
        self.b_o = self.add_weight(shape=(d,), initializer="zeros", name="b_o")

    def call(self, inputs, context=None, attention_mask=None, training=None, return_weights=False):
        if context is None:
            context = inputs
        q = self._heads(ops.matmul(inputs, self.w_q) + self.b_q)
        k = self._heads(ops.matmul(context, self.w_k) + self.b_k)
        v = self._heads(ops.matmul(context, self.w_v) + self.b_v)
        scores = ops.matmul(q, ops.transpose(k, (0, 1, 3, 2)))
        scores = ops.cast(scores, "float32") / ops.sqrt(float(self.hidden_dim // self.num_heads))
        if attention_mask is not None:
            if len(attention_mask.shape) == 3:
                attention_mask = ops.expand_dims(attention_mask, axis=1)
            scores = ops.where(attention_mask, scores, ops.full_like(scores, -1e30))
        weights = ops.cast(ops.softmax(scores, axis=-1), inputs.dtype)
        kept = weights
        if training and self.dropout > 0:
            kept = keras.random.dropout(weights, self.dropout, seed=self.seeds)
        merged = ops.transpose(ops.matmul(kept, v), (0, 2, 1, 3))
        merged = ops.reshape(merged, (ops.shape(inputs)[0], ops.shape(inputs)[1], self.hidden_dim))
        output = ops.matmul(merged, self.w_o) + self.b_o
        if return_weights:
            return output, weights
        return output

    def _heads(self, x):
        b, n, d = ops.shape(x)
        return ops.transpose(ops.reshape(x, (b, n, self.num_heads, d // self.num_heads)), (0, 2, 1, 3))

    def get_config(self):
        return dict(super().get_config(), hidden_dim=self.hidden_dim, num_heads=self.num_heads, dropout=self.dropout)
