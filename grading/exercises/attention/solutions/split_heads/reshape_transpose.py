"""Reshape, then transpose."""

from keras import ops


def split_heads(x, num_heads):
    shape = ops.shape(x)
    x = ops.reshape(x, [shape[0], shape[1], num_heads, x.shape[-1] // num_heads])
    return ops.transpose(x, [0, 2, 1, 3])
