"""Finds the words without the helper, and repeats [CLS]."""

import keras
from course.ranking import TermGating, matching_histogram
from course.given.word_vectors import unit_vectors
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
        self.features_dense = keras.layers.Dense(self.units, "tanh", name="features", dtype=self.dtype_policy)
        self.features_dense.build((None, None, self.bins + self.encoder.hidden_dim))
        self.score_dense = keras.layers.Dense(1, name="score", dtype=self.dtype_policy)
        self.score_dense.build((None, None, self.units))

    def call(self, inputs):
        ids, segments, mask = inputs["token_ids"], inputs["segment_ids"], ops.cast(inputs["padding_mask"], "bool")
        x = self.encoder(ids, segments, mask)["sequence_output"]
        length = ops.shape(ids)[1]
        place = ops.arange(length)[None, :]
        first = ops.sum(ops.cast(mask & (segments == 0), "int32"), axis=1, keepdims=True)
        both = ops.sum(ops.cast(mask, "int32"), axis=1, keepdims=True)
        is_query = (place > 0) & (place < first - 1)
        is_document = (place >= first) & (place < both - 1)
        unit = unit_vectors(x)
        cosines = ops.einsum("bid,bjd->bij", unit, unit)
        histograms = ops.cast(matching_histogram(cosines, is_document, self.bins), x.dtype)
        cls = ops.repeat(x[:, 0:1], length, axis=1)
        scores = self.score_dense(self.features_dense(ops.concatenate([histograms, cls], -1)))[..., 0]
        weights = self.gate(self.encoder.embedding.token_embedding(ids), is_query)
        return ops.einsum("bl,bl->b", weights, ops.cast(scores, "float32"))
