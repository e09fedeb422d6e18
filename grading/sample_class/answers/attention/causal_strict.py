def causal_mask(length):
    return ops.cast(ops.tril(ops.ones((length, length)), k=-1), "bool")
