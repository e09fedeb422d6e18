"""ops.var, and a power of -1/2."""

from keras import ops


def layer_normalization(x, gamma, beta, epsilon=1e-12):
    y = ops.cast(x, "float32")
    y = y - ops.mean(y, axis=-1, keepdims=True)
    y = y * (ops.var(y, axis=-1, keepdims=True) + epsilon) ** -0.5
    y = y * ops.cast(gamma, "float32")
    y = y + ops.cast(beta, "float32")
    return ops.cast(y, x.dtype)
