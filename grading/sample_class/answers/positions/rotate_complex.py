import tensorflow as tf


def rotate(x, cos, sin):
    a, b = tf.split(tf.cast(x, tf.float32), 2, axis=-1)
    points = tf.complex(a, b) * tf.complex(cos, sin)
    return tf.cast(tf.concat([tf.math.real(points), tf.math.imag(points)], -1), x.dtype)
