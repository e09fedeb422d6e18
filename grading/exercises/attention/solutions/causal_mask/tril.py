"""The lower triangle of a square of True."""

from keras import ops


def causal_mask(length):
    return ops.tril(ops.ones((length, length), dtype="bool"))
