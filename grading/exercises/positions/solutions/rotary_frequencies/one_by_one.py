import numpy as np


def rotary_frequencies(head_dim, base=10000.0):
    if head_dim % 2:
        raise ValueError("head_dim must be even")
    return np.array([1.0 / base ** (2 * i / head_dim) for i in range(head_dim // 2)], dtype="float32")
