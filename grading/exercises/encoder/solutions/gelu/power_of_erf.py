"""By erf and tanh from keras.ops, each in a branch of its own."""

import numpy as np
from keras import ops


def gelu(x, approximate=False):
    if approximate:
        inner = np.sqrt(2 / np.pi).astype("float32") * (x + 0.044715 * ops.power(x, 3))
        return x * 0.5 * (1 + ops.tanh(inner))
    cdf = 0.5 * (1.0 + ops.erf(x / np.sqrt(2.0).astype("float32")))
    return x * cdf
