import math

import tensorflow as tf


def alibi_bias(num_heads, query_length, key_length, offset=0):
    power = 2 ** int(math.log2(num_heads))
    steps = [-8 / power * (h + 1) for h in range(power)] + [-4 / power * (2 * h + 1) for h in range(num_heads - power)]
    slopes = tf.reshape(tf.pow(2.0, tf.constant(steps)), (1, -1, 1, 1))
    i = tf.range(query_length)[:, tf.newaxis] + offset
    j = tf.range(key_length)[tf.newaxis, :]
    later, earlier = tf.maximum(j - i, 0), tf.maximum(i - j, 0)
    return -slopes * tf.cast(later + earlier, tf.float32)
