"""Einsum with an ellipsis, the softmax by hand from logsumexp, and a closure for the dtype."""
# exercise: scaled_dot_product_attention; right: 6
from __future__ import annotations
import math
from typing import Any
import keras
from keras import ops
from course.validation.arrays import require_array, require_attention_shapes, require_divisible, require_length, require_mask, require_rank
def scaled_dot_product_attention(query: Any, key: Any, value: Any, mask: Any = None) -> tuple[Any, Any]:
    query, key, value = map(ops.convert_to_tensor, (query, key, value))
    precise = keras.backend.result_type(query.dtype, "float32")

    def to(dtype):
        return lambda tensor: ops.cast(tensor, dtype)

    wide, back = to(precise), to(value.dtype)
    scores = ops.einsum("...qd,...kd->...qk", wide(query) * query.shape[-1] ** -0.5, wide(key))
    if mask is not None:
        scores = ops.where(mask, scores, ops.cast(-1e9, precise))
    weights = back(ops.exp(scores - ops.logsumexp(scores, axis=-1, keepdims=True)))
    return ops.einsum("...qk,...kv->...qv", weights, value), weights
