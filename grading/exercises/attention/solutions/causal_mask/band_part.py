"""TensorFlow's band_part."""

import tensorflow as tf


def causal_mask(length):
    return tf.cast(tf.linalg.band_part(tf.ones([length, length]), -1, 0), tf.bool)
