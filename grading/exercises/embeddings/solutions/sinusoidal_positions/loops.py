"""Number by number, as in the equation."""

import math

import numpy as np


def sinusoidal_positions(length, hidden_dim):
    table = np.zeros((length, hidden_dim), dtype=np.float32)
    for pos in range(length):
        for i in range(hidden_dim // 2):
            angle = pos / 10000 ** (2 * i / hidden_dim)
            table[pos, 2 * i] = math.sin(angle)
            table[pos, 2 * i + 1] = math.cos(angle)
    return table
