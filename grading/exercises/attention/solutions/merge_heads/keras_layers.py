"""Permute and Reshape layers, as in a functional model."""

from keras import layers


def merge_heads(x):
    x = layers.Permute((2, 1, 3), autocast=False)(x)
    return layers.Reshape((-1, x.shape[2] * x.shape[3]), autocast=False)(x)
