"""As in many tutorials: the wavelengths by exp and log, in float32, and the features by strided slices."""

import numpy as np


def sinusoidal_positions(length, hidden_dim):
    position = np.arange(length, dtype=np.float32)[:, None]
    div_term = np.exp(np.arange(0, hidden_dim, 2, dtype=np.float32) * np.float32(-np.log(10000.0) / hidden_dim))
    pe = np.zeros((length, hidden_dim), np.float32)
    pe[:, ::2] = np.sin(position * div_term)
    pe[:, 1::2] = np.cos(position * div_term)
    return pe
