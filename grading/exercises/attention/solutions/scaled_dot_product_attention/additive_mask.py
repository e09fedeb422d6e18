"""The mask is turned into a bias that is added to the scores, as in older BERT code."""

import numpy as np
from keras import ops


def scaled_dot_product_attention(query, key, value, mask=None):
    d_k = query.shape[-1]
    scores = ops.matmul(ops.cast(query, "float32"), ops.swapaxes(ops.cast(key, "float32"), -2, -1))
    scores = scores * (1.0 / float(d_k) ** 0.5)
    if mask is not None:
        bias = (1.0 - ops.cast(mask, "float32")) * np.finfo("float32").min
        scores = scores + bias
    weights = ops.cast(ops.softmax(scores, axis=-1), value.dtype)
    return ops.matmul(weights, value), weights
