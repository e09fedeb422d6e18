import tensorflow as tf


def rotate(x, cos, sin):
    first, second = tf.split(tf.cast(x, tf.float32), 2, axis=-1)
    points = tf.complex(first, second) * tf.complex(cos, sin)
    return tf.cast(tf.concat([tf.math.real(points), tf.math.imag(points)], axis=-1), x.dtype)
