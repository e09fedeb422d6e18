def layer_normalization(x, gamma, beta, epsilon=1e-12):
    wide, gamma, beta = (ops.cast(t, "float32") for t in (x, gamma, beta))
    mean, variance = ops.moments(wide, axes=[-1], keepdims=True)
    return ops.cast((wide - mean) * (gamma / ops.sqrt(variance + epsilon)) + beta, x.dtype)
