def scaled_dot_product_attention(query, key, value, mask=None):
    query, key, value = ops.convert_to_tensor(query), ops.convert_to_tensor(key), ops.convert_to_tensor(value)
    scores = ops.einsum("...qd,...kd->...qk", query, key)
    scores = ops.cast(scores, "float32") / query.shape[-1] ** 0.5
    if mask is not None:
        scores = scores + (1.0 - ops.cast(mask, "float32")) * -1e9
    weights = ops.cast(ops.softmax(scores), value.dtype)
    return ops.einsum("...qk,...kd->...qd", weights, value), weights
