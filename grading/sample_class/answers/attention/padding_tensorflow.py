def padding_mask(token_ids, padding_id=0):
    mask = tf.math.not_equal(token_ids, padding_id)
    return tf.expand_dims(tf.expand_dims(mask, 1), 1)
