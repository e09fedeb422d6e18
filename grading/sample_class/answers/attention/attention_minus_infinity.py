def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / query.shape[-1] ** 0.5
    scores = ops.cast(scores, "float32")
    if mask is not None:
        scores = ops.where(mask, scores, float("-inf"))
    weights = ops.cast(ops.softmax(scores, axis=-1), value.dtype)
    return ops.matmul(weights, value), weights
