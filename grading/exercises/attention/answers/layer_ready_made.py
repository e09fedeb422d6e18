class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, hidden_dim, num_heads, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        self.inner = keras.layers.MultiHeadAttention(num_heads, hidden_dim // num_heads, dropout=dropout)

    def call(self, inputs, context=None, attention_mask=None, training=None, return_weights=False):
        context = inputs if context is None else context
        return self.inner(
            inputs, context, attention_mask=attention_mask, training=training, return_attention_scores=return_weights
        )
