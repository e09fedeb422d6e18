"""TensorFlow's own functions, without Keras."""

import tensorflow as tf


def padding_mask(token_ids, padding_id=0):
    return tf.not_equal(token_ids, padding_id)[:, tf.newaxis, tf.newaxis, :]
