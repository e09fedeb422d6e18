import tensorflow as tf


def rotary_frequencies(head_dim, base=10000.0):
    even = tf.range(0, head_dim, 2, dtype=tf.float32)
    return 1.0 / tf.pow(float(base), even / head_dim)
