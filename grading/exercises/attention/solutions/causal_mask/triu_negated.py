"""Finds the later tokens and negates the result."""

from keras import ops


def causal_mask(length):
    future = ops.triu(ops.ones((length, length)), k=1)
    return ops.logical_not(ops.cast(future, "bool"))
