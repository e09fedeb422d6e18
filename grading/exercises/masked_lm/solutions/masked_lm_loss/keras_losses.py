"""Keras's loss function, unreduced; the weights are made to sum to 1 first."""

import keras
from keras import ops


def masked_lm_loss(labels, logits, weights):
    each = keras.losses.sparse_categorical_crossentropy(labels, ops.cast(logits, "float32"), from_logits=True)
    weights = ops.cast(weights, each.dtype)
    return ops.sum(each * ops.divide_no_nan(weights, ops.sum(weights)))
