import numpy as np
from keras import ops


def alibi_bias(num_heads, query_length, key_length, offset=0):
    cells = ops.arange(query_length * key_length)
    distance = ops.abs(offset + cells // key_length - cells % key_length)
    slopes = np.asarray(alibi_slopes(num_heads)).reshape(num_heads, 1)
    return ops.reshape(-slopes * ops.cast(distance, "float32"), (1, num_heads, query_length, key_length))


def alibi_slopes(num_heads):
    power = 2 ** (num_heads.bit_length() - 1)
    all_slopes = 2.0 ** (-8 * np.arange(1, power + 1) / power)
    others = 2.0 ** (-4 * np.arange(1, 2 * power + 1, 2) / power)
    return np.concatenate([all_slopes, others[: num_heads - power]]).astype("float32")
