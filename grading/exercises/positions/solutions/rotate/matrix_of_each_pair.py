from keras import ops


def rotate(x, cos, sin):
    pairs = ops.stack(ops.split(ops.cast(x, "float32"), 2, axis=-1), axis=-1)  # (..., length, head_dim / 2, 2)
    cos, sin = ops.convert_to_tensor(cos), ops.convert_to_tensor(sin)
    matrix = ops.stack([ops.stack([cos, sin], axis=-1), ops.stack([-sin, cos], axis=-1)], axis=-2)
    turned = ops.sum(pairs[..., None] * matrix, axis=-2)
    return ops.cast(ops.concatenate([turned[..., 0], turned[..., 1]], axis=-1), x.dtype)
