"""Reshape and Permute layers, as in a functional model."""

from keras import layers


def split_heads(x, num_heads):
    x = layers.Reshape((-1, num_heads, x.shape[-1] // num_heads), autocast=False)(x)
    return layers.Permute((2, 1, 3), autocast=False)(x)
