"""The transpose as an einsum."""

from keras import ops


def split_heads(x, num_heads):
    batch, length, width = ops.shape(x)
    return ops.einsum("blnd->bnld", ops.reshape(x, (batch, length, num_heads, width // num_heads)))
