def split_heads(x, num_heads):
    batch, length, hidden = ops.shape(x)
    heads = ops.reshape(x, (-1, length, num_heads, hidden // num_heads))
    return ops.einsum("blhd->bhld", heads)
