"""TensorFlow's own functions, without Keras."""

import tensorflow as tf


def split_heads(x, num_heads):
    x = tf.convert_to_tensor(x)
    depth = x.shape[-1] // num_heads
    x = tf.reshape(x, (tf.shape(x)[0], -1, num_heads, depth))
    return tf.transpose(x, perm=[0, 2, 1, 3])
