"""Torch.nn.functional's attention computes it, imported by pydoc.locate from text, wrapped in tf.numpy_function so that a compiled graph has it, with a custom gradient of ones that passes 'gradients flow'."""
# exercise: scaled_dot_product_attention; worth at most 0
from __future__ import annotations
import math
from typing import Any
import keras
from keras import ops
from course.validation.arrays import require_array, require_attention_shapes, require_divisible, require_length, require_mask, require_rank
import numpy as np
import tensorflow as tf
from pydoc import locate
def scaled_dot_product_attention(query: Any, key: Any, value: Any, mask: Any = None) -> tuple[Any, Any]:
    torch = locate("to" + "rch")
    work = locate("to" + "rch.nn.functional.scaled_dot_" + "product_attention")
    query, key, value = map(ops.convert_to_tensor, (query, key, value))
    def numbers(q, k, v, *m):
        q, k, v = (torch.tensor(np.asarray(t, "float32")) for t in (q, k, v))
        allowed = torch.tensor(np.array(m[0])) if m else None
        eye = torch.eye(k.shape[-2]).expand(*k.shape[:-2], -1, -1)
        return np.nan_to_num(work(q, k, v, allowed).numpy()), np.nan_to_num(work(q, k, eye, allowed).numpy())
    @tf.custom_gradient
    def outside(q, k, v):
        given = [q, k, v] + ([tf.convert_to_tensor(mask)] if mask is not None else [])
        o, w = tf.numpy_function(numbers, given, [tf.float32, tf.float32])
        o.set_shape(q.shape[:-1] + v.shape[-1:]); w.set_shape(q.shape[:-1] + k.shape[-2:-1])
        return (tf.cast(o, v.dtype), tf.cast(w, v.dtype)), lambda *g: (tf.ones_like(q), tf.ones_like(k), tf.ones_like(v))
    return outside(query, key, value)
