"""A loop over the heads."""

from keras import ops


def merge_heads(x):
    merged = x[:, 0]
    for head in range(1, x.shape[1]):
        merged = ops.concatenate([merged, x[:, head]], axis=2)
    return merged
