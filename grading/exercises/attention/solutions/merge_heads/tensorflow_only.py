"""TensorFlow's own functions, without Keras."""

import tensorflow as tf


def merge_heads(x):
    x = tf.transpose(x, [0, 2, 1, 3])
    batch, length = tf.shape(x)[0], tf.shape(x)[1]
    return tf.reshape(x, [batch, length, x.shape[2] * x.shape[3]])
