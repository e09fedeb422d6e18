"""A match statement, and functools.partial with np.interp for the ramp."""
# exercise: scaled_frequencies; right: 5
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

import functools


def _frequencies(head_dim, base):
    return np.float_power(base, -np.arange(0, head_dim, 2) / head_dim).astype("float32")

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
    plain = functools.partial(_frequencies, head_dim)
    match method:
        case "none":
            return plain(base), 1.0
        case "linear":
            return (plain(base) / np.float32(factor)).astype("float32"), 1.0
        case "ntk":
            return plain(base * factor ** (head_dim / (head_dim - 2))), 1.0
        case "yarn":
            low, high = (
                head_dim * math.log(trained_length / (2 * math.pi * beta)) / (2 * math.log(base))
                for beta in (beta_fast, beta_slow)
            )
            low, high = max(math.floor(low), 0), min(math.ceil(high), head_dim - 1)
            pairs = np.arange(head_dim // 2)
            ramp = np.clip((pairs - low) / max(high - low, 0.001), 0.0, 1.0)
            mixed = plain(base) * (1 - ramp) + plain(base) / factor * ramp
            return mixed.astype("float32"), 1.0 + 0.1 * math.log(factor)
        case _:
            raise ValueError(f"unknown method: {method}")
