"""Makes all layers in __init__, only builds them in `build`, and makes a mask if none is given."""

import keras
from keras import ops


class PairClassifier(keras.Model):
    def __init__(self, encoder, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.encoder = encoder
        self.dropout = dropout
        self.drop = keras.layers.Dropout(dropout, dtype=self.dtype_policy)
        self.dense = keras.layers.Dense(1, dtype=self.dtype_policy)

    def build(self, inputs_shape):
        if not self.encoder.built:
            self.encoder.build((None, None))
        self.dense.build((None, self.encoder.hidden_dim))

    def call(self, inputs, training=None):
        ids = inputs["token_ids"]
        mask = inputs["padding_mask"] if "padding_mask" in inputs else ops.not_equal(ids, self.encoder.padding_id)
        segments = inputs["segment_ids"] if "segment_ids" in inputs else ops.zeros_like(ids)
        encoded = self.encoder(token_ids=ids, segment_ids=segments, padding_mask=mask, training=training)
        return self.dense(self.drop(encoded["pooled_output"], training=training))[:, 0]
