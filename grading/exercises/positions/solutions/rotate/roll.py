import numpy as np
from keras import ops


def rotate(x, cos, sin):
    half = x.shape[-1] // 2
    signs = np.repeat([-1.0, 1.0], half).astype("float32")
    precise = ops.cast(x, "float32")
    across = ops.roll(precise, half, axis=-1) * signs
    turned = precise * ops.concatenate([cos] * 2, -1) + across * ops.concatenate([sin] * 2, -1)
    return ops.cast(turned, x.dtype)
