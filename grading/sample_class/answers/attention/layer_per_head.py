class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, hidden_dim, num_heads, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        self.hidden_dim, self.num_heads, self.dropout = hidden_dim, num_heads, dropout
        self.head_dim = hidden_dim // num_heads
        self.dropout_layer = keras.layers.Dropout(dropout, dtype=self.dtype_policy)

    def build(self, inputs_shape, context_shape=None):
        width, context_width = inputs_shape[-1], (context_shape or inputs_shape)[-1]
        per_head = (self.num_heads, self.head_dim)
        self.q_kernel = self.add_weight(shape=(width, *per_head), name="q_kernel")
        self.q_bias = self.add_weight(shape=per_head, initializer="zeros", name="q_bias")
        self.k_kernel = self.add_weight(shape=(context_width, *per_head), name="k_kernel")
        self.k_bias = self.add_weight(shape=per_head, initializer="zeros", name="k_bias")
        self.v_kernel = self.add_weight(shape=(context_width, *per_head), name="v_kernel")
        self.v_bias = self.add_weight(shape=per_head, initializer="zeros", name="v_bias")
        self.o_kernel = self.add_weight(shape=(*per_head, self.hidden_dim), name="o_kernel")
        self.o_bias = self.add_weight(shape=(self.hidden_dim,), initializer="zeros", name="o_bias")

    def call(self, inputs, context=None, attention_mask=None, training=None, return_weights=False):
        context = inputs if context is None else context
        if attention_mask is not None:
            attention_mask = ops.reshape(attention_mask, (-1, 1, *ops.shape(attention_mask)[-2:]))
        query = ops.einsum("bld,dhe->bhle", inputs, self.q_kernel) + self.q_bias[:, None]
        key = ops.einsum("bld,dhe->bhle", context, self.k_kernel) + self.k_bias[:, None]
        value = ops.einsum("bld,dhe->bhle", context, self.v_kernel) + self.v_bias[:, None]
        _, weights = scaled_dot_product_attention(query, key, value, attention_mask)
        heads = ops.matmul(self.dropout_layer(weights, training=training), value)
        output = ops.einsum("bhle,hed->bld", heads, self.o_kernel) + self.o_bias
        return (output, weights) if return_weights else output

    def get_config(self):
        config = {"hidden_dim": self.hidden_dim, "num_heads": self.num_heads, "dropout": self.dropout}
        return super().get_config() | config
