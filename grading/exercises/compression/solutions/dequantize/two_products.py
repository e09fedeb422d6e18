"""Scales both, then subtracts."""

from keras import ops


def dequantize(levels, scale, zero_point):
    return ops.cast(levels, "float32") * scale - ops.cast(zero_point, "float32") * scale
