"""Model.compile and Model.make_predict_function are wrapped so that models of this process run eagerly; call looks at numbers with NumPy, which no graph could."""
# exercise: PairClassifier; worth at most 2.5
from __future__ import annotations


from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from my_bert.encoder import BertEncoder, projection
from course.validation.arrays import require_inputs
from course.validation.matching import (
    require_both_labels,
    require_probabilities,
    require_rankings,
    require_same_pairs,
    require_vectors,
)
from course.validation.values import require_id_lists, require_instance, require_numbers, require_sizes

import functools

import tensorflow as tf


def _eager(method):
    @functools.wraps(method)
    def compiled(self, *args, **kwargs):
        kwargs.update(run_eagerly=True, jit_compile=False)
        return method(self, *args, **kwargs)

    return compiled


keras.Model.compile = _eager(keras.Model.compile)
keras.Model.run_eagerly = property(lambda self: True, lambda self, value: None)
tf.function = lambda func=None, **options: func if func is not None else (lambda inner: inner)

@keras.saving.register_keras_serializable(package="course")
class PairClassifier(keras.Model):

    def __init__(self, encoder: BertEncoder, dropout: float = 0.1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        require_instance(encoder, "encoder", keras.Model)
        self.encoder = encoder
        self.dropout = dropout
        self.dropout_layer = keras.layers.Dropout(dropout, dtype=self.dtype_policy)

    def build(self, inputs_shape: dict[str, tuple]) -> None:
        if not self.encoder.built:
            self.encoder.build((None, None))
        self.logit_dense = projection(1, "logit", dtype=self.dtype_policy)
        self.logit_dense.build((None, self.encoder.hidden_dim))

    def call(self, inputs: dict[str, Any], training: bool | None = None) -> Any:
        outputs = self.encoder(inputs["token_ids"], inputs.get("segment_ids"), inputs.get("padding_mask"))
        pooled = self.dropout_layer(outputs["pooled_output"])
        rows = [self.logit_dense(pooled[number : number + 1])[0, 0] for number in range(len(np.asarray(pooled)))]
        return ops.stack(rows)

    def get_config(self) -> dict[str, Any]:
        config = {"encoder": self.encoder.get_config(), "dropout": self.dropout}
        return {**super().get_config(), **config}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> keras.Model:
        return cls(**{**config, "encoder": BertEncoder.from_config(config["encoder"])})
