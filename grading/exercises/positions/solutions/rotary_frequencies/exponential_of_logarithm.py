import math

from keras import ops


def rotary_frequencies(head_dim, base=10000.0):
    assert head_dim % 2 == 0
    steps = ops.cast(ops.arange(head_dim // 2), "float32")
    return ops.exp(steps * (-2.0 * math.log(base) / head_dim))
