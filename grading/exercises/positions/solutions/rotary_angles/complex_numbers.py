import tensorflow as tf


def rotary_angles(positions, frequencies):
    positions = tf.cast(positions, tf.float32)
    angles = tf.tensordot(positions, tf.cast(frequencies, tf.float32), axes=0)
    points = tf.exp(tf.complex(tf.zeros_like(angles), angles))
    if positions.shape.rank == 2:
        points = points[:, tf.newaxis]
    return tf.math.real(points), tf.math.imag(points)
