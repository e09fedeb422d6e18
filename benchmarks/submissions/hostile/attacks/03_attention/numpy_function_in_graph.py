"""Tf.py_function calls NumPy from the compiled graph and a static shape is claimed afterwards: right values, but nothing is compiled, differentiated or saved."""
# exercise: merge_heads; worth at most 1
from __future__ import annotations
import math
from typing import Any
import keras
from keras import ops
from course.validation.arrays import require_array, require_attention_shapes, require_divisible, require_length, require_mask, require_rank
import numpy as np
import tensorflow as tf
def merge_heads(x: Any) -> Any:
    x = ops.convert_to_tensor(x)
    def moved(given):
        array = given.numpy()
        b, h, n, d = array.shape
        return array.transpose(0, 2, 1, 3).reshape(b, n, h * d)
    merged = tf.py_function(moved, [x], x.dtype)
    merged.set_shape((x.shape[0], x.shape[2], x.shape[1] * x.shape[3]))
    return merged
