"""Picks the log probability of each label from a log softmax."""

from keras import ops


def next_sentence_loss(labels, logits):
    log_probabilities = ops.log_softmax(ops.cast(logits, "float32"), axis=-1)
    return -ops.mean(ops.take_along_axis(log_probabilities, labels[:, None], axis=1))
