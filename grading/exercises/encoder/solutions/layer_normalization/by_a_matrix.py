"""A matrix product subtracts the mean, and the variance is a product of the centred features."""

from keras import ops


def layer_normalization(x, gamma, beta, epsilon=1e-12):
    width = x.shape[-1]
    centring = ops.eye(width) - 1.0 / width
    centred = ops.matmul(ops.cast(x, "float32"), centring)
    variance = ops.einsum("...i,...i->...", centred, centred) / width
    y = centred / ops.sqrt(ops.expand_dims(variance, -1) + epsilon)
    return ops.cast(ops.cast(gamma, "float32") * y + ops.cast(beta, "float32"), x.dtype)
