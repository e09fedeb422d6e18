def split_heads(x, num_heads):
    b, l, d = ops.shape(x)
    return ops.reshape(x, (b, num_heads, l, d // num_heads))
