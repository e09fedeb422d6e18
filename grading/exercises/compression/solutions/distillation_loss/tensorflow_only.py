"""TensorFlow's functions, text by text, averaged at the end."""

import tensorflow as tf


def distillation_loss(student_logits, teacher_logits, labels, temperature=2.0, alpha=0.5):
    z = tf.cast(student_logits, tf.float32)
    v = tf.stop_gradient(tf.cast(teacher_logits, tf.float32))
    log_q, log_p = tf.nn.log_softmax(z / temperature), tf.nn.log_softmax(v / temperature)
    kl = tf.reduce_sum(tf.exp(log_p) * (log_p - log_q), axis=1)
    ce = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=z)
    return tf.reduce_mean(alpha * temperature**2 * kl + (1 - alpha) * ce)
