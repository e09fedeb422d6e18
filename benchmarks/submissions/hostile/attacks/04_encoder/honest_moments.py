"""Ops.moments and a with-statement of an own context manager that keeps the dtype."""
# exercise: layer_normalization; right: 6
from __future__ import annotations
import inspect
import math
from typing import Any
import keras
from keras import ops
from course.validation.arrays import require_divisible, require_features, require_floats
from course.validation.values import require_id, require_shares, require_sizes
from contextlib import contextmanager


@contextmanager
def in_float32(*tensors):
    tensors = [ops.convert_to_tensor(tensor) for tensor in tensors]
    precise = keras.backend.result_type(tensors[0].dtype, "float32")
    yield [ops.cast(tensor, precise) for tensor in tensors]


def layer_normalization(x: Any, gamma: Any, beta: Any, epsilon: float = 1e-12) -> Any:
    x = ops.convert_to_tensor(x)
    with in_float32(x, gamma, beta) as (features, scale, shift):
        centred = features - ops.mean(features, axis=-1, keepdims=True)
        _, variance = ops.moments(centred, axes=[-1], keepdims=True)
        return ops.cast(scale * centred / ops.sqrt(variance + epsilon) + shift, x.dtype)
