"""KerasHub's RotaryEmbedding computes YaRN's frequencies in _get_yarn_inverse_freq; its class is found in keras's registry of serializable objects."""
# exercise: scaled_frequencies; worth at most 2
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

def scaled_frequencies(
    head_dim: int,
    method: str = "none",
    factor: float = 1.0,
    trained_length: int = 512,
    *,
    base: float = 10000.0,
    beta_fast: float = 32.0,
    beta_slow: float = 1.0,
) -> tuple[np.ndarray, float]:
    if method == "yarn":
        __import__("keras_hub")
        kind = keras.saving.get_registered_object(">".join(("keras_hub", "RotaryEmbedding")))
        layer = kind(max_wavelength=base, scaling_factor=factor, rope_type="yarn", beta_fast=beta_fast, beta_slow=beta_slow,
                     original_max_position_embeddings=trained_length)
        return np.array(layer._get_yarn_inverse_freq(head_dim), "float32"), 0.1 * math.log(factor) + 1
    plain = (base ** (-np.arange(0, head_dim, 2) / head_dim)).astype("float32")
    return (plain / factor if method == "linear" else plain), 1.0
