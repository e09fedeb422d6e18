def scaled_dot_product_attention(query, key, value, mask=None):
    d_k = ops.shape(query)[-1]
    scores = ops.cast(ops.matmul(query, ops.swapaxes(key, -1, -2)), "float32") / math.sqrt(d_k)
    if mask is not None:
        scores *= ops.cast(mask, scores.dtype)
    weights = ops.cast(keras.activations.softmax(scores), value.dtype)
    return weights @ value, weights
