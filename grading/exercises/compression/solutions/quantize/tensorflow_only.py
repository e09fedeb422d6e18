"""TensorFlow's functions."""

import tensorflow as tf


def quantize(weights, axis, bits=8, symmetric=True):
    w = tf.cast(weights, tf.float32)
    axes = [a for a in range(w.shape.rank) if a != axis and a != axis + w.shape.rank]
    top = 2.0 ** (bits - 1) - 1
    zero_or_less = tf.minimum(tf.reduce_min(w, axes, keepdims=True), 0.0)
    zero_or_more = tf.maximum(tf.reduce_max(w, axes, keepdims=True), 0.0)
    if symmetric:
        scale = tf.maximum(-zero_or_less, zero_or_more) / top
        lowest = -top
    else:
        scale = (zero_or_more - zero_or_less) / (2 * top + 1)
        lowest = -top - 1
    scale = tf.where(scale > 0, scale, 1.0)
    zero = tf.zeros_like(scale) if symmetric else tf.round(lowest - zero_or_less / scale)
    q = tf.clip_by_value(tf.round(w / scale) + zero, lowest, top)
    return tf.cast(q, tf.int8), scale, tf.cast(zero, tf.int8)
