"""TensorFlow, via int16."""

import tensorflow as tf


def dequantize(levels, scale, zero_point):
    steps = tf.subtract(tf.cast(levels, tf.int16), tf.cast(zero_point, tf.int16))
    return tf.multiply(tf.cast(steps, tf.float32), scale)
