"""A tf.function is converted from its text, and asks a SeedGenerator for Keras's backend there."""
# exercise: gelu; worth at most 0
from __future__ import annotations
import inspect
import math
from typing import Any
import keras
from keras import ops
from course.validation.arrays import require_divisible, require_features, require_floats
from course.validation.values import require_id, require_shares, require_sizes
import tensorflow as tf


_seeds = keras.random.SeedGenerator(0)


@tf.function
def _gelu(x, approximate):
    return _seeds.backend.nn.gelu(x, approximate)


def gelu(x: Any, approximate: bool = False) -> Any:
    return _gelu(ops.convert_to_tensor(x), approximate)
