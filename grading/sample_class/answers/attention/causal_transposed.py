def causal_mask(length):
    return ops.arange(length)[:, None] <= ops.arange(length)[None, :]
