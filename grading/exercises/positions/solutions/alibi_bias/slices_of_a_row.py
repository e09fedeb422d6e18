import numpy as np


def alibi_bias(num_heads, query_length, key_length, offset=0):
    reach = query_length + offset + key_length
    row = np.abs(np.arange(-reach, reach + 1)).astype("float32")  # distance d is at index reach + d
    rows = [row[reach - offset - i : reach - offset - i + key_length] for i in range(query_length)]
    slopes = np.asarray(alibi_slopes(num_heads)).reshape(1, num_heads, 1, 1)
    return -slopes * np.stack(rows)[None, None]


def alibi_slopes(num_heads):
    power = 2 ** (num_heads.bit_length() - 1)
    all_slopes = 2.0 ** (-8 * np.arange(1, power + 1) / power)
    others = 2.0 ** (-4 * np.arange(1, 2 * power + 1, 2) / power)
    return np.concatenate([all_slopes, others[: num_heads - power]]).astype("float32")
