"""Picks the log probability of each word from a log softmax."""

from keras import ops


def masked_lm_loss(labels, logits, weights):
    log_probabilities = ops.log_softmax(ops.cast(logits, "float32"), axis=-1)
    chosen = ops.take_along_axis(log_probabilities, ops.expand_dims(labels, -1), axis=-1)[..., 0]
    weights = ops.cast(weights, "float32")
    return -ops.sum(chosen * weights) / ops.maximum(ops.sum(weights), 1.0)
