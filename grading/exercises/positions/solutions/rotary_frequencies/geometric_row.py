import numpy as np


def rotary_frequencies(head_dim, base=10000.0):
    ratio = base ** (-2 / head_dim)
    row = np.full(head_dim // 2, ratio)
    row[0] = 1.0
    return np.cumprod(row).astype(np.float32)
