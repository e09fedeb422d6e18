"""TensorFlow's own functions, without Keras."""

import tensorflow as tf


def scaled_dot_product_attention(query, key, value, mask=None):
    dk = tf.cast(tf.shape(key)[-1], tf.float32)
    scores = tf.linalg.matmul(tf.cast(query, tf.float32), tf.cast(key, tf.float32), transpose_b=True)
    scores /= tf.math.sqrt(dk)
    if mask is not None:
        scores = tf.where(tf.cast(mask, tf.bool), scores, tf.float32.min)
    weights = tf.nn.softmax(scores, axis=-1)
    output = tf.linalg.matmul(weights, tf.cast(value, tf.float32))
    return tf.cast(output, value.dtype), tf.cast(weights, value.dtype)
