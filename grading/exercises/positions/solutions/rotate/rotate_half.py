from keras import ops


def rotate_half(x):
    half = x.shape[-1] // 2
    return ops.concatenate([-x[..., half:], x[..., :half]], axis=-1)


def rotate(x, cos, sin):
    dtype = x.dtype
    x = ops.cast(x, "float32")
    cos = ops.concatenate([cos, cos], axis=-1)
    sin = ops.concatenate([sin, sin], axis=-1)
    return ops.cast(x * cos + rotate_half(x) * sin, dtype)
