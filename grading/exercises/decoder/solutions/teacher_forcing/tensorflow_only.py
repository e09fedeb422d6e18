import tensorflow as tf


def teacher_forcing(targets, start_id, end_id, padding_id=0):
    targets = tf.convert_to_tensor(targets)
    batch = tf.shape(targets)[0]
    lengths = tf.reduce_sum(tf.cast(targets != padding_id, tf.int32), axis=1)
    inputs = tf.concat([tf.fill([batch, 1], tf.cast(start_id, targets.dtype)), targets], 1)
    labels = tf.concat([targets, tf.fill([batch, 1], tf.cast(padding_id, targets.dtype))], 1)
    at_end = tf.one_hot(lengths, tf.shape(labels)[1], on_value=True, off_value=False, dtype=tf.bool)
    labels = tf.where(at_end, tf.cast(end_id, labels.dtype), labels)
    weights = tf.sequence_mask(lengths + 1, tf.shape(labels)[1], dtype=tf.float32)
    return inputs, labels, weights
