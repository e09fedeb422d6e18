"""No matrix product: every query is multiplied by every key and summed."""

from keras import ops


def scaled_dot_product_attention(query, key, value, mask=None):
    pairs = ops.expand_dims(ops.cast(query, "float32"), -2) * ops.expand_dims(ops.cast(key, "float32"), -3)
    scores = ops.sum(pairs, axis=-1) / query.shape[-1] ** 0.5  # (..., query, key)
    if mask is not None:
        scores = scores * ops.cast(mask, "float32") - 1e9 * (1.0 - ops.cast(mask, "float32"))
    weights = ops.softmax(scores, axis=-1)
    taken = ops.expand_dims(weights, -1) * ops.expand_dims(ops.cast(value, "float32"), -3)
    output = ops.sum(taken, axis=-2)  # (..., query, value_dim)
    return ops.cast(output, value.dtype), ops.cast(weights, value.dtype)
