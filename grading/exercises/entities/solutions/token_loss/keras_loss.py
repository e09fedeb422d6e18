"""Keras's loss with weights of 0 and 1, divided by the number of labels."""

import keras
from keras import ops


def token_loss(labels, logits, ignore=-100):
    labels = ops.convert_to_tensor(labels)
    summed = keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="sum", dtype="float32")
    is_known = ops.not_equal(labels, ignore)
    total = summed(ops.where(is_known, labels, 0), logits, sample_weight=ops.cast(is_known, "float32"))
    return total / ops.maximum(ops.sum(ops.cast(is_known, "float32")), 1.0)
