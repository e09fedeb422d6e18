"""One projection three times as wide for self-attention; beside a context, one for queries and one for the rest."""

from keras import layers, ops


class MultiHeadAttention(layers.Layer):
    def __init__(self, hidden_dim, num_heads, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        assert hidden_dim % num_heads == 0, (hidden_dim, num_heads)
        self.hidden_dim, self.num_heads, self.dropout = hidden_dim, num_heads, dropout
        self.dropout_layer = layers.Dropout(dropout, dtype=self.dtype_policy)

    def build(self, inputs_shape, context_shape=None):
        self.cross = context_shape is not None
        if self.cross:
            self.q_proj = layers.Dense(self.hidden_dim, dtype=self.dtype_policy)
            self.kv_proj = layers.Dense(2 * self.hidden_dim, dtype=self.dtype_policy)
            self.q_proj.build(inputs_shape)
            self.kv_proj.build(context_shape)
        else:
            self.qkv_proj = layers.Dense(3 * self.hidden_dim, dtype=self.dtype_policy)
            self.qkv_proj.build(inputs_shape)
        self.out_proj = layers.Dense(self.hidden_dim, dtype=self.dtype_policy)
        self.out_proj.build((None, None, self.hidden_dim))

    def heads(self, x):
        x = ops.reshape(x, (ops.shape(x)[0], ops.shape(x)[1], self.num_heads, self.hidden_dim // self.num_heads))
        return ops.swapaxes(x, 1, 2)

    def call(self, inputs, context=None, attention_mask=None, training=None, return_weights=False):
        if self.cross:
            q = self.q_proj(inputs)
            k, v = ops.split(self.kv_proj(context), 2, axis=-1)
        else:
            q, k, v = ops.split(self.qkv_proj(inputs), 3, axis=-1)
            if context is not None:
                _, k, v = ops.split(self.qkv_proj(context), 3, axis=-1)
        q, k, v = self.heads(q), self.heads(k), self.heads(v)
        scores = ops.cast(q @ ops.swapaxes(k, -1, -2), "float32") / (self.hidden_dim // self.num_heads) ** 0.5
        if attention_mask is not None:
            if len(attention_mask.shape) == 3:
                attention_mask = attention_mask[:, None]
            scores = ops.where(attention_mask, scores, -1e9)
        weights = ops.cast(ops.softmax(scores), q.dtype)
        out = self.dropout_layer(weights, training=training) @ v
        out = ops.reshape(ops.swapaxes(out, 1, 2), (*ops.shape(inputs)[:2], self.hidden_dim))
        out = self.out_proj(out)
        return (out, weights) if return_weights else out

    def get_config(self):
        return super().get_config() | {
            "hidden_dim": self.hidden_dim,
            "num_heads": self.num_heads,
            "dropout": self.dropout,
        }
