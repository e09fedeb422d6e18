"""tf.nn's cross-entropy, reduced by tf."""

import tensorflow as tf


def next_sentence_loss(labels, logits):
    each = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=tf.cast(logits, tf.float32))
    return tf.reduce_mean(each)
