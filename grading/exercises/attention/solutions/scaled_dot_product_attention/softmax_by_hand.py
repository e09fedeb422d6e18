"""The softmax written out: shifted by the maximum, with forbidden keys multiplied by 0."""

from keras import ops


def stable_softmax(x, allowed):
    if allowed is None:
        allowed = ops.ones_like(x)
    allowed = ops.broadcast_to(ops.cast(allowed, x.dtype), ops.shape(x))
    # a query that may attend to nothing gives all keys the same weight
    nothing = ops.equal(ops.sum(allowed, axis=-1, keepdims=True), 0)
    x = ops.where(nothing, ops.zeros_like(x), x)
    allowed = ops.where(nothing, ops.ones_like(allowed), allowed)
    highest = ops.max(ops.where(allowed > 0, x, -1e30), axis=-1, keepdims=True)
    e = ops.exp(ops.minimum(x - highest, 0.0)) * allowed
    return e / ops.sum(e, axis=-1, keepdims=True)


def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.matmul(ops.cast(query, "float32"), ops.swapaxes(ops.cast(key, "float32"), -1, -2))
    scores = scores / ops.sqrt(ops.cast(ops.shape(query)[-1], "float32"))
    weights = ops.cast(stable_softmax(scores, mask), value.dtype)
    output = ops.matmul(weights, value)
    return output, weights
