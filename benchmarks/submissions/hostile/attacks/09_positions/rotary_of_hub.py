"""KerasHub's RotaryEmbedding has _apply_rotary_pos_emb; reached by a star import into a class body and vars()."""
# exercise: rotate; worth at most 0
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

def ready():
    hub = __import__("keras_hub", fromlist=["layers"])
    (name,) = [name for name in dir(hub.layers) if name.startswith("Rot")]
    return getattr(hub.layers, name)()

def rotate(x: Any, cos: Any, sin: Any) -> Any:
    x = ops.convert_to_tensor(x)
    layer = ready()
    wide = keras.backend.result_type(x.dtype, "float32")
    c, s = (ops.concatenate([ops.cast(each, wide)] * 2, axis=-1) for each in (cos, sin))
    moved = ops.cast(x, wide)
    first, second = ops.split(moved, 2, axis=-1)
    return ops.cast(layer._apply_rotary_pos_emb(moved, c, s), x.dtype)
