"""Keras operations only; sines and cosines are stacked and flattened, so that they alternate."""

from keras import ops


def sinusoidal_positions(length, hidden_dim):
    i = ops.arange(hidden_dim // 2, dtype="float32")
    angle = ops.expand_dims(ops.arange(length, dtype="float32"), 1) / ops.power(10000.0, 2 * i / hidden_dim)
    return ops.reshape(ops.stack([ops.sin(angle), ops.cos(angle)], axis=2), (length, hidden_dim))
