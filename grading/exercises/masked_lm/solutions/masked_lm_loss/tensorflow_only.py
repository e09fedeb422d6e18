"""tf.nn's cross-entropy, divided so that 0 / 0 is 0."""

import tensorflow as tf


def masked_lm_loss(labels, logits, weights):
    logits = tf.cast(logits, tf.float32)
    weights = tf.cast(weights, tf.float32)
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return tf.math.divide_no_nan(tf.reduce_sum(loss * weights), tf.reduce_sum(weights))
