"""A one-hot row selects the tag's log-softmax; an ignored label has a row of zeros."""

from keras import ops


def token_loss(labels, logits, ignore=-100):
    labels = ops.cast(labels, "int32")
    logits = ops.cast(logits, "float32")
    counts = ops.cast(labels != ignore, "float32")
    rows = ops.one_hot(ops.where(labels == ignore, 0, labels), logits.shape[-1]) * counts[..., None]
    total = -ops.sum(rows * ops.log_softmax(logits, axis=-1))
    return total / ops.maximum(ops.sum(counts), 1.0)
