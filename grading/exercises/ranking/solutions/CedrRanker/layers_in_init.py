"""Makes the layers in __init__; `build` only builds them."""

import keras
from course.encoder import projection
from course.ranking import TermGating, matching_histogram
from course.given.word_vectors import unit_vectors, words_of_pairs
from keras import ops


class CedrRanker(keras.Model):
    def __init__(self, encoder, bins=10, units=16, **kwargs):
        super().__init__(**kwargs)
        self.encoder, self.bins, self.units = encoder, bins, units
        self.gate = TermGating(name="gate", dtype=self.dtype_policy)
        self.features_dense = projection(units, "features", activation="tanh", dtype=self.dtype_policy)
        self.score_dense = projection(1, "score", dtype=self.dtype_policy)

    def build(self, inputs_shape):
        if not self.encoder.built:
            self.encoder.build((None, None))
        self.gate.build((None, None, self.encoder.hidden_dim))
        self.features_dense.build((None, self.bins + self.encoder.hidden_dim))
        self.score_dense.build((None, self.units))

    def call(self, inputs):
        x = self.encoder(inputs["token_ids"], inputs["segment_ids"], inputs["padding_mask"])["sequence_output"]
        query, document = words_of_pairs(inputs["segment_ids"], inputs["padding_mask"])
        u = unit_vectors(x)
        counts = matching_histogram(u @ ops.swapaxes(u, 1, 2), document, self.bins)
        cls = ops.ones_like(x) * x[:, :1, :]
        y = self.score_dense(self.features_dense(ops.concatenate([ops.cast(counts, x.dtype), cls], axis=2)))
        g = self.gate(self.encoder.embedding.token_embedding(inputs["token_ids"]), query)
        return ops.sum(g * ops.cast(ops.squeeze(y, 2), "float32"), 1)
