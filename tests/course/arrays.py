"""Tensors of any backend as arrays that NumPy can compare."""

from __future__ import annotations

from typing import Any

import keras
import numpy as np
from keras import ops


def array(tensor: Any) -> np.ndarray:
    """As float32, or as boolean: NumPy has no bfloat16."""
    is_mask = keras.backend.standardize_dtype(tensor.dtype) == "bool"
    return ops.convert_to_numpy(tensor if is_mask else ops.cast(tensor, "float32"))
