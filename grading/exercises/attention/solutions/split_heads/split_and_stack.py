"""The features are cut into pieces, and the pieces are stacked."""

from keras import ops


def split_heads(x, num_heads):
    return ops.stack(ops.split(x, num_heads, axis=-1), axis=1)
