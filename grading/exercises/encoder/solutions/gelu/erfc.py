"""Φ by the complementary error function, and tanh as a sigmoid of twice the angle."""

import math

import tensorflow as tf


def gelu(x, approximate=False):
    if not approximate:
        return x * tf.math.erfc(-x / math.sqrt(2)) / 2
    return x * tf.sigmoid(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))
