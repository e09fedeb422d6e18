"""Plain loops, and an array at the end."""

import numpy as np


def causal_mask(length):
    rows = []
    for query in range(length):
        rows.append([key <= query for key in range(length)])
    return np.array(rows, dtype=bool)
