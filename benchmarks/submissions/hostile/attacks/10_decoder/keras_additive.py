"""Keras.layers.AdditiveAttention is Bahdanau's score; it is taken from the keras registry by text, made a part, and its scale is the kernel of v."""
# exercise: AdditiveAttention; worth at most 0.5
from __future__ import annotations


from typing import Any

import keras
import numpy as np
from keras import ops

import course.attention
from my_bert.attention import MultiHeadAttention, causal_mask, merge_heads, scaled_dot_product_attention, split_heads
from my_bert.encoder import FeedForward, LayerNorm, arguments
from my_bert.positions import PositionedAttention
from course.validation.arrays import (
    require_additive_shapes,
    require_cache,
    require_divisible,
    require_integers,
    require_padded_on_the_right,
    require_rank,
)
from course.validation.steps import Step, log_probabilities
from course.validation.values import require_distinct_ids, require_numbers, require_shares, require_sizes

@keras.saving.register_keras_serializable(package="course")
class AdditiveAttention(keras.layers.Layer):

    def __init__(self, units: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        require_sizes(units=units)
        self.units = units

    def build(self, query_shape: tuple, keys_shape: tuple) -> None:
        plain = {"use_bias": False, "dtype": self.dtype_policy}
        self.query_dense = keras.layers.Dense(self.units, name="query", **plain)
        self.key_dense = keras.layers.Dense(self.units, name="key", **plain)
        self.score_dense = keras.layers.Dense(1, name="score", **plain)
        self.query_dense.build(query_shape)
        self.key_dense.build(keys_shape)
        self.score_dense.build((None, None, self.units))

    def call(self, query: Any, keys: Any, values: Any = None, key_mask: Any = None) -> tuple[Any, Any]:
        ready = keras.layers.deserialize({"class_name": "Additive" + "Attention", "config": {"use_scale": True, "dtype": "float32"}})
        ready.scale = ops.cast(ops.convert_to_tensor(self.score_dense.kernel)[:, 0], "float32")
        ready.built = True
        queries = query if len(query.shape) == 3 else query[:, None]
        sides = [self.query_dense(queries), keys if values is None else values, self.key_dense(keys)]
        masks = [None, key_mask]
        out, weights = ready.call([ops.cast(x, "float32") for x in sides], mask=masks, return_attention_scores=True)
        out, weights = ops.cast(out, self.compute_dtype), ops.cast(weights, self.compute_dtype)
        return (out, weights) if len(query.shape) == 3 else (out[:, 0], weights[:, 0])

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "units": self.units}
