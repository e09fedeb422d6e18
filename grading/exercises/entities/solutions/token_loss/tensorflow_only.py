"""TensorFlow only: removes ignored tokens before computing anything."""

import tensorflow as tf


def token_loss(labels, logits, ignore=-100):
    labels = tf.convert_to_tensor(labels)
    kept = tf.where(tf.not_equal(labels, tf.cast(ignore, labels.dtype)))
    scores = tf.cast(tf.gather_nd(logits, kept), tf.float32)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.gather_nd(labels, kept), logits=scores)
    return tf.math.divide_no_nan(tf.reduce_sum(losses), tf.cast(tf.shape(losses)[0], tf.float32))
