"""One slice for each head, joined along a new axis."""

from keras import ops


def split_heads(x, num_heads):
    head_dim = int(x.shape[2] / num_heads)
    heads = [x[:, None, :, n * head_dim : (n + 1) * head_dim] for n in range(num_heads)]
    return ops.concatenate(heads, axis=1)
