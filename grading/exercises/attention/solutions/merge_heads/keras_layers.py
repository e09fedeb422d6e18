"""Permute and Reshape layers, as in a functional model."""

from keras import layers


def merge_heads(x):
    return layers.Reshape((-1, x.shape[1] * x.shape[3]))(layers.Permute((2, 1, 3))(x))
