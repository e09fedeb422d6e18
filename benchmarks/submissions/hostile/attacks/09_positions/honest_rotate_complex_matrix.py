"""A dataclass with __slots__ that turns points by an einsum with the rotation's matrix."""
# exercise: rotate; right: 4
from __future__ import annotations


import math
from collections.abc import Mapping
from typing import Any

import keras
import numpy as np
from keras import ops

import course.attention
from course.validation.arrays import (
    require_attention_shapes,
    require_length,
    require_mask,
    require_positions,
    require_rotation,
)
from course.validation.values import require_choice, require_numbers, require_sizes

import dataclasses


@dataclasses.dataclass(frozen=True, slots=True)
class Points:
    across: Any
    up: Any

    def turned(self, cos, sin):
        yield self.across * cos - self.up * sin
        yield self.up * cos + self.across * sin

def rotate(x: Any, cos: Any, sin: Any) -> Any:
    x = ops.convert_to_tensor(x)
    kind = keras.backend.standardize_dtype(x.dtype)
    half = x.shape[-1] // 2
    wide = ops.cast(x, keras.backend.result_type(kind, "float32"))
    points = Points(wide[..., :half], wide[..., half:])
    return ops.cast(ops.concatenate(list(points.turned(ops.cast(cos, wide.dtype), ops.cast(sin, wide.dtype))), axis=-1), kind)
