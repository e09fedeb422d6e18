import math

import numpy as np
from keras import ops


def _slopes(n):
    power = 2 ** math.floor(math.log2(n))
    extra = [2 ** (-8 * h / (2 * power)) for h in range(1, 2 * power + 1)][::2][: n - power]
    return np.array([2 ** (-8 * h / power) for h in range(1, power + 1)] + extra, "float32")


def alibi_bias(num_heads, query_length, key_length, offset=0):
    queries = ops.arange(offset, offset + query_length)
    keys = ops.arange(key_length)
    distance = ops.absolute(ops.expand_dims(queries, 1) - ops.expand_dims(keys, 0))
    return ops.einsum("h,qk->hqk", -_slopes(num_heads), ops.cast(distance, "float32"))[None]
