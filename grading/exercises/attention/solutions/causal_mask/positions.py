"""Compares the positions of queries with those of keys."""

from keras import ops


def causal_mask(length):
    i = ops.expand_dims(ops.arange(length), 1)
    j = ops.expand_dims(ops.arange(length), 0)
    return j <= i
