"""Two axes are swapped."""

from keras import ops


def split_heads(x, num_heads):
    batch, length = ops.shape(x)[0], ops.shape(x)[1]
    return ops.swapaxes(ops.reshape(x, (batch, length, num_heads, x.shape[-1] // num_heads)), 1, 2)
