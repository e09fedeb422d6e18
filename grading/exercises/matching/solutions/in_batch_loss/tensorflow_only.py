"""TensorFlow functions only."""

import tensorflow as tf


def in_batch_loss(query_vectors, document_vectors, scale=20.0, same=None):
    q = tf.math.l2_normalize(tf.cast(query_vectors, tf.float32), axis=-1)
    d = tf.math.l2_normalize(tf.cast(document_vectors, tf.float32), axis=-1)
    logits = scale * tf.matmul(q, d, transpose_b=True)
    if same is not None:
        others = tf.linalg.set_diag(tf.convert_to_tensor(same), tf.zeros(tf.shape(logits)[0], tf.bool))
        logits = tf.where(others, tf.float32.min, logits)
    labels = tf.range(tf.shape(logits)[0])
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
