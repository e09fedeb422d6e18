"""Each pair is a complex number on the unit circle; its imaginary and real parts are laid side by side by a view."""
# exercise: sinusoidal_positions; right: 3
from __future__ import annotations
from typing import Any
import keras
import numpy as np
from keras import ops
from course.validation.arrays import require_array, require_integers, require_range, require_rank
from course.validation.values import require_sizes
def sinusoidal_positions(length: int, hidden_dim: int) -> np.ndarray:
    speed = np.power(10000.0, -np.arange(0, hidden_dim, 2) / hidden_dim)
    hands = np.exp(1j * np.multiply.outer(np.arange(length, dtype="float64"), speed))
    swapped = np.conj(hands) * 1j  # the real part is now the sine, the imaginary part the cosine
    return np.ascontiguousarray(swapped).view("float64").astype("float32")
