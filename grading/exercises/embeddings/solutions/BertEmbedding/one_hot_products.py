"""Each lookup multiplies a one-hot vector by the table; the projections have no bias."""

import keras
from keras import layers, ops


class BertEmbedding(keras.layers.Layer):
    def __init__(
        self, vocabulary_size, hidden_dim, max_length, num_segments=2, dropout=0.1, *, epsilon=1e-12, **kwargs
    ):
        super().__init__(**kwargs)
        self.vocabulary_size = vocabulary_size
        self.hidden_dim = hidden_dim
        self.max_length = max_length
        self.num_segments = num_segments
        self.dropout = dropout
        self.epsilon = epsilon

    def build(self, token_ids_shape):
        def table(rows, name):
            dense = layers.Dense(self.hidden_dim, use_bias=False, name=name, dtype=self.dtype_policy)
            dense.build((None, None, rows))
            return dense

        self.token_table = table(self.vocabulary_size, "token")
        self.position_table = table(self.max_length, "position")
        self.segment_table = table(self.num_segments, "segment")
        self.finish = keras.Sequential(
            [
                layers.Input((None, self.hidden_dim)),
                layers.LayerNormalization(epsilon=self.epsilon, dtype=self.dtype_policy),
                layers.Dropout(self.dropout, dtype=self.dtype_policy),
            ]
        )

    def call(self, token_ids, segment_ids=None):
        segment_ids = token_ids * 0 if segment_ids is None else segment_ids
        places = ops.eye(self.max_length)[: ops.shape(token_ids)[1]]
        total = ops.add(
            self.token_table(ops.one_hot(token_ids, self.vocabulary_size)),
            self.segment_table(ops.one_hot(segment_ids, self.num_segments)),
        )
        return self.finish(total + self.position_table(places[None]))

    def get_config(self):
        names = ("vocabulary_size", "hidden_dim", "max_length", "num_segments", "dropout", "epsilon")
        return {**super().get_config(), **{name: getattr(self, name) for name in names}}
