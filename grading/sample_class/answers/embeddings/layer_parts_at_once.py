class BertEmbedding(keras.layers.Layer):
    def __init__(
        self, vocabulary_size, hidden_dim, max_length, num_segments=2, dropout=0.1, *, epsilon=1e-12, **kwargs
    ):
        super().__init__(**kwargs)
        self.options = dict(
            vocabulary_size=vocabulary_size,
            hidden_dim=hidden_dim,
            max_length=max_length,
            num_segments=num_segments,
            dropout=dropout,
            epsilon=epsilon,
        )
        policy = self.dtype_policy
        self.tok = keras.layers.Embedding(vocabulary_size, hidden_dim, name="token", dtype=policy)
        self.pos = keras.layers.Embedding(max_length, hidden_dim, name="position", dtype=policy)
        self.seg = keras.layers.Embedding(num_segments, hidden_dim, name="segment", dtype=policy)
        self.ln = keras.layers.LayerNormalization(epsilon=epsilon, dtype=policy)
        self.drop = keras.layers.Dropout(dropout, dtype=policy)

    def build(self, token_ids_shape):
        for table in (self.tok, self.pos, self.seg):
            table.build()
        self.ln.build((None, None, self.options["hidden_dim"]))

    def call(self, token_ids, segment_ids=None, training=None):
        segment_ids = ops.zeros_like(token_ids) if segment_ids is None else segment_ids
        places = ops.arange(ops.shape(token_ids)[-1])
        summed = keras.layers.add([self.tok(token_ids) + self.pos(places)[None], self.seg(segment_ids)])
        return self.drop(self.ln(summed), training=training)

    def get_config(self):
        return super().get_config() | self.options
