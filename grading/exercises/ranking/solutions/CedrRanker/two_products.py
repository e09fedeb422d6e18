"""Splits the projection: one product for each word's histogram, and a single one for [CLS]."""

import keras
from course.encoder import projection
from course.ranking import TermGating, matching_histogram
from course.given.word_vectors import unit_vectors, words_of_pairs
from keras import ops


class CedrRanker(keras.Model):
    def __init__(self, encoder, bins=10, units=16, **kwargs):
        super().__init__(**kwargs)
        self.encoder, self.bins, self.units = encoder, bins, units

    def build(self, inputs_shape):
        if not self.encoder.built:
            self.encoder.build((None, None))
        self.gate = TermGating(name="gate", dtype=self.dtype_policy)
        self.gate.build((None, None, self.encoder.hidden_dim))
        self.features_dense = projection(self.units, "features", activation="tanh", dtype=self.dtype_policy)
        self.features_dense.build((None, None, self.bins + self.encoder.hidden_dim))
        self.score_dense = projection(1, "score", dtype=self.dtype_policy)
        self.score_dense.build((None, None, self.units))

    def call(self, inputs):
        x = self.encoder(inputs["token_ids"], inputs["segment_ids"], inputs["padding_mask"])["sequence_output"]
        query, document = words_of_pairs(inputs["segment_ids"], inputs["padding_mask"])
        u = unit_vectors(x)
        counts = matching_histogram(ops.matmul(u, ops.transpose(u, (0, 2, 1))), document, self.bins)
        kernel, bias = (ops.cast(w, x.dtype) for w in (self.features_dense.kernel, self.features_dense.bias))
        of_words = ops.matmul(ops.cast(counts, x.dtype), kernel[: self.bins])
        of_pair = ops.matmul(x[:, 0], kernel[self.bins :])[:, None]
        scores = self.score_dense(ops.tanh(of_words + of_pair + bias))[:, :, 0]
        weights = self.gate(self.encoder.embedding.token_embedding(inputs["token_ids"]), query)
        return ops.sum(ops.cast(scores, "float32") * weights, axis=1)
