"""Gradients of any function of arrays, on the current backend."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras
import numpy as np
from keras import ops


def gradient(function: Callable[[Any], Any], x: np.ndarray) -> np.ndarray:
    """The gradient of a scalar function at x."""
    x = ops.convert_to_tensor(x, dtype="float32")
    backend = keras.backend.backend()
    if backend == "tensorflow":
        import tensorflow as tf

        with tf.GradientTape() as tape:
            tape.watch(x)
            value = function(x)
        return ops.convert_to_numpy(tape.gradient(value, x))
    if backend == "jax":
        import jax

        return ops.convert_to_numpy(jax.grad(function)(x))
    x.requires_grad_(True)
    function(x).backward()
    return ops.convert_to_numpy(x.grad)
