"""Both products as einsums."""

import numpy as np
from keras import ops


def scaled_dot_product_attention(query, key, value, mask=None):
    dtype = value.dtype
    q, k, v = (ops.cast(x, "float32") for x in (query, key, value))
    logits = ops.einsum("...qd,...kd->...qk", q, k) / np.sqrt(k.shape[-1])
    if mask is not None:
        logits = ops.where(mask, logits, -1e9)
    attention = ops.softmax(logits)
    context = ops.einsum("...qk,...kv->...qv", attention, v)
    return ops.cast(context, dtype), ops.cast(attention, dtype)
