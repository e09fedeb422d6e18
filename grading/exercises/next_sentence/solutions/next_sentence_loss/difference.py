"""With two labels, a softplus of the difference of the scores."""

from keras import ops


def next_sentence_loss(labels, logits):
    logits = ops.cast(logits, "float32")
    difference = logits[:, 1] - logits[:, 0]
    sign = 1.0 - 2.0 * ops.cast(labels, "float32")
    return ops.mean(ops.softplus(sign * difference))
