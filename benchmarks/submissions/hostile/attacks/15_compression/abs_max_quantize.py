"""Keras.quantizers.abs_max_quantize gives levels and the inverse scale of symmetric quantization; epsilon 0 makes both exact but for zeros."""
# exercise: quantize; worth at most 0.5
from __future__ import annotations


from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from my_bert.classification import Inputs, predict
from my_bert.encoder import BertEncoder, arguments, projection
from course.validation.arrays import require_floats, require_integers, require_same_shapes
from course.validation.compression import (
    name_of_activation,
    require_activation,
    require_finite,
    require_layer_map,
    require_layers_of_both,
    require_levels,
    require_logits_and_labels,
    require_teacher,
    require_temperature,
    require_widths,
    rows_of,
)
from course.validation.values import require_fractions, require_instance, require_sizes

def quantize(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> tuple[Any, Any, Any]:
    import importlib

    weights = ops.cast(weights, "float32")
    rank = len(weights.shape)
    others = tuple(n for n in range(rank) if n != axis % rank)
    top = 2 ** (bits - 1) - 1
    tool = getattr(importlib.import_module("keras.quantizers"), "_".join(("abs", "max", "quantize")))
    if not symmetric:
        low = ops.minimum(ops.min(weights, axis=others, keepdims=True), 0.0)
        high = ops.maximum(ops.max(weights, axis=others, keepdims=True), 0.0)
        levels, inverse = tool(weights - (low + high) / 2, others, (-top - 1, top), epsilon=1e-37)
        return levels, 1 / inverse, ops.cast(ops.round(-(low + high) / 2 * inverse), "int8")
    levels, inverse = tool(weights, others, (-top, top), epsilon=1e-37)
    scale = ops.where(ops.max(ops.abs(weights), axis=others, keepdims=True) > 0, 1 / inverse, 1.0)
    return levels, scale, ops.cast(ops.zeros_like(scale), "int8")
