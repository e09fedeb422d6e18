"""Transpose, then reshape."""

from keras import ops


def merge_heads(x):
    batch, heads, length, depth = ops.shape(x)
    return ops.reshape(ops.transpose(x, (0, 2, 1, 3)), (batch, length, heads * depth))
