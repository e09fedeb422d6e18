def causal_mask(length):
    return tf.cast(tf.linalg.band_part(tf.ones((length, length)), -1, 0), bool)
