"""A cosine is a sine that is a quarter of a wave ahead."""

import numpy as np


def sinusoidal_positions(length, hidden_dim):
    feature = np.arange(hidden_dim)
    frequency = np.power(10000.0, -2.0 * (feature // 2) / hidden_dim)
    return np.sin(np.outer(np.arange(length), frequency) + (feature % 2) * np.pi / 2).astype("float32")
