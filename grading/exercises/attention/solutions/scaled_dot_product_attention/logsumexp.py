"""Weights as exp(score - logsumexp); the scaling is split between queries and keys."""

from keras import ops


def scaled_dot_product_attention(query, key, value, mask=None):
    scale = float(key.shape[-1]) ** -0.25
    q = ops.multiply(ops.cast(query, "float32"), scale)
    k = ops.multiply(ops.cast(key, "float32"), scale)
    scores = ops.matmul(q, ops.moveaxis(k, -1, -2))
    if mask is not None:
        scores = ops.where(ops.logical_not(mask), ops.full_like(scores, -1e9), scores)
    scores = scores - ops.max(scores, axis=-1, keepdims=True)
    weights = ops.exp(scores - ops.logsumexp(scores, axis=-1, keepdims=True))
    weights = ops.cast(weights, value.dtype)
    return (ops.matmul(weights, value), weights)
