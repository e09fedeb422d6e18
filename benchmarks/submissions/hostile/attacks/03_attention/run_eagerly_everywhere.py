"""Numpy-only code; tf.config.run_functions_eagerly(True), Trainer.run_eagerly and tf.data's debug mode are set at import, so the 'compiled' check runs Python on values."""
# exercise: scaled_dot_product_attention; worth at most 5.5
from __future__ import annotations
import math
from typing import Any
import keras
from keras import ops
from course.validation.arrays import require_array, require_attention_shapes, require_divisible, require_length, require_mask, require_rank
import numpy as np
import tensorflow as tf

tf.config.run_functions_eagerly(True)
tf.data.experimental.enable_debug_mode()
keras.Model.run_eagerly = property(lambda self: True, lambda self, value: None)
def scaled_dot_product_attention(query: Any, key: Any, value: Any, mask: Any = None) -> tuple[Any, Any]:
    dtype = np.asarray(query).dtype
    q, k, v = (np.asarray(t).astype("float32") for t in (query, key, value))
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(np.asarray(mask), scores, -1e9)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    return ops.convert_to_tensor((weights @ v).astype(dtype)), ops.convert_to_tensor(weights.astype(dtype))
