def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.matmul(query, ops.swapaxes(key, -2, -1))
    scores = ops.cast(scores, "float32") * SCALE(query.shape[-1])
    weights = ops.cast(stable_softmax(scores, mask), value.dtype)
    return ops.matmul(weights, value), weights
