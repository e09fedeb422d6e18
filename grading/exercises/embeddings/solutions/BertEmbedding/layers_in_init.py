"""__init__ creates the tables, without names and in another order."""

import keras
from keras import layers, ops


class BertEmbedding(layers.Layer):
    def __init__(
        self, vocabulary_size, hidden_dim, max_length, num_segments=2, dropout=0.1, *, epsilon=1e-12, **kwargs
    ):
        super().__init__(**kwargs)
        self.vocabulary_size, self.hidden_dim, self.max_length = vocabulary_size, hidden_dim, max_length
        self.num_segments, self.dropout, self.epsilon = num_segments, dropout, epsilon
        self.seg = layers.Embedding(num_segments, hidden_dim, dtype=self.dtype_policy)
        self.pos = layers.Embedding(max_length, hidden_dim, dtype=self.dtype_policy)
        self.tok = layers.Embedding(vocabulary_size, hidden_dim, dtype=self.dtype_policy)
        self.ln = layers.LayerNormalization(epsilon=epsilon, dtype=self.dtype_policy)
        self.drop = layers.Dropout(dropout, dtype=self.dtype_policy)

    def build(self, token_ids_shape):
        for table in (self.seg, self.pos, self.tok):
            table.build(token_ids_shape)
        self.ln.build((*token_ids_shape, self.hidden_dim))

    def call(self, token_ids, segment_ids=None):
        if segment_ids is None:
            segment_ids = ops.zeros_like(token_ids)
        positions = ops.cumsum(ops.ones_like(token_ids), axis=1) - 1
        return self.drop(self.ln(self.tok(token_ids) + self.pos(positions) + self.seg(segment_ids)))

    def get_config(self):
        config = super().get_config()
        config.update(
            vocabulary_size=self.vocabulary_size,
            hidden_dim=self.hidden_dim,
            max_length=self.max_length,
            num_segments=self.num_segments,
            dropout=self.dropout,
            epsilon=self.epsilon,
        )
        return config
