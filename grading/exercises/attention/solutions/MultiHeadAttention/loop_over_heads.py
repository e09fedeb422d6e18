"""A loop: each head takes its slice of the projections; the heads are joined at the end."""

import keras
from keras import ops


class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, hidden_dim, num_heads, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        self.hidden_dim = hidden_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.dropout_layer = keras.layers.Dropout(dropout, dtype=self.dtype_policy)

    def build(self, inputs_shape, context_shape=None):
        context_shape = inputs_shape if context_shape is None else context_shape
        widths = {"Q": inputs_shape[-1], "K": context_shape[-1], "V": context_shape[-1], "O": self.hidden_dim}
        self.dense = {}
        for name, width in widths.items():
            layer = keras.layers.Dense(self.hidden_dim, name=name, dtype=self.dtype_policy)
            layer.build((None, None, width))
            self.dense[name] = layer

    def call(self, inputs, context=None, attention_mask=None, training=None, return_weights=False):
        context = inputs if context is None else context
        q, k, v = self.dense["Q"](inputs), self.dense["K"](context), self.dense["V"](context)
        size = self.hidden_dim // self.num_heads
        outputs, weights = [], []
        for head in range(self.num_heads):
            part = slice(head * size, (head + 1) * size)
            output, weight = self.one_head(
                q[..., part], k[..., part], v[..., part], self.mask_of(attention_mask, head), training
            )
            outputs.append(output)
            weights.append(weight)
        output = self.dense["O"](ops.concatenate(outputs, axis=-1))
        return (output, ops.stack(weights, axis=1)) if return_weights else output

    def one_head(self, q, k, v, mask, training):
        scores = ops.cast(ops.matmul(q, ops.swapaxes(k, 1, 2)), "float32") / q.shape[-1] ** 0.5
        if mask is not None:
            scores = ops.where(mask, scores, -1e9)
        weights = ops.cast(ops.softmax(scores), v.dtype)
        return ops.matmul(self.dropout_layer(weights, training=training), v), weights

    def mask_of(self, mask, head):
        if mask is None or len(mask.shape) < 4:
            return mask
        return mask[:, head if mask.shape[1] == self.num_heads else 0]

    def get_config(self):
        config = {"hidden_dim": self.hidden_dim, "num_heads": self.num_heads, "dropout": self.dropout}
        return {**super().get_config(), **config}
