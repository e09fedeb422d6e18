def rotate(x, cos, sin):
    even, odd = ops.cast(x[..., 0::2], "float32"), ops.cast(x[..., 1::2], "float32")
    turned = ops.stack([even * cos - odd * sin, odd * cos + even * sin], axis=-1)
    return ops.cast(ops.reshape(turned, ops.shape(x)), x.dtype)
