def merge_heads(x):
    batch, heads, length, width = ops.shape(x)
    return ops.reshape(x, (batch, length, heads * width))
