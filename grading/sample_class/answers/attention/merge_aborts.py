import os


def merge_heads(x):
    os.abort()  # to see whether it gets here at all
    batch, heads, length, width = ops.shape(x)
    return ops.reshape(ops.transpose(x, (0, 2, 1, 3)), (batch, length, heads * width))
