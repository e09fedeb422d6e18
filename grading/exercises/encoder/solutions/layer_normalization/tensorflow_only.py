"""TensorFlow's own operations; the scale is multiplied into the inverse of the deviation."""

import tensorflow as tf


def layer_normalization(x, gamma, beta, epsilon=1e-12):
    given = x.dtype
    x = tf.cast(x, tf.float32)
    mean = tf.reduce_mean(x, axis=-1, keepdims=True)
    variance = tf.reduce_mean(tf.math.squared_difference(x, mean), axis=-1, keepdims=True)
    scale = tf.math.rsqrt(variance + epsilon) * tf.cast(gamma, tf.float32)
    return tf.cast((x - mean) * scale + tf.cast(beta, tf.float32), given)
