class MultiHeadAttention(keras.layers.Layer):
    """One Dense for the query, one for key and value together."""

    def __init__(self, hidden_dim, num_heads, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        self.hidden_dim = hidden_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.dropout_layer = keras.layers.Dropout(dropout)
        self.q = keras.layers.Dense(hidden_dim, dtype=self.dtype_policy)
        self.kv = keras.layers.Dense(2 * hidden_dim, dtype=self.dtype_policy)
        self.out = keras.layers.Dense(hidden_dim, dtype=self.dtype_policy)

    def build(self, inputs_shape, context_shape=None):
        self.q.build(inputs_shape)
        self.kv.build(context_shape or inputs_shape)
        self.out.build((None, None, self.hidden_dim))
        self.built = True

    def call(self, inputs, context=None, attention_mask=None, training=None, return_weights=False):
        if context is None:
            context = inputs
        if attention_mask is not None and len(attention_mask.shape) == 3:
            attention_mask = attention_mask[:, None]
        q = split_heads(self.q(inputs), self.num_heads)
        k, v = ops.split(self.kv(context), 2, axis=-1)
        k, v = split_heads(k, self.num_heads), split_heads(v, self.num_heads)
        _, weights = scaled_dot_product_attention(q, k, v, attention_mask)
        dropped = self.dropout_layer(weights, training=training)
        result = self.out(merge_heads(ops.matmul(dropped, v)))
        if return_weights:
            return result, weights
        return result

    def get_config(self):
        return {
            **super().get_config(),
            "hidden_dim": self.hidden_dim,
            "num_heads": self.num_heads,
            "dropout": self.dropout,
        }
