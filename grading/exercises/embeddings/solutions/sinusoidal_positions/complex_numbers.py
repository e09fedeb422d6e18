"""e^(ix) holds cosine and sine; TensorFlow puts them in their places."""

import numpy as np
import tensorflow as tf


def sinusoidal_positions(length, hidden_dim):
    frequencies = 10000.0 ** -(np.arange(0, hidden_dim, 2) / hidden_dim)
    turns = np.exp(1j * np.arange(length)[:, None] * frequencies[None, :])
    rows = [np.ravel([turn.imag, turn.real], order="F") for turn in turns]
    return tf.constant(rows, tf.float32)
