import tensorflow as tf


def scaled_dot_product_attention(query, key, value, mask=None):
    d_k = query.shape[-1]
    scores = tf.matmul(query, key, transpose_b=True)
    scores = tf.cast(scores, tf.float32) / tf.sqrt(float(d_k))
    if mask is not None:
        scores = tf.where(mask, scores, scores.dtype.min)
    weights = tf.nn.softmax(scores, axis=-1)
    weights = tf.cast(weights, value.dtype)
    return tf.matmul(weights, value), weights
