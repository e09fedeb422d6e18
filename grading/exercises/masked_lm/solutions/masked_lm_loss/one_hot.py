"""One-hot labels, and the softmax's logarithm by logsumexp."""

from keras import ops


def masked_lm_loss(labels, logits, weights):
    logits = ops.cast(logits, "float32")
    targets = ops.one_hot(labels, logits.shape[-1], dtype="float32")
    loss = ops.logsumexp(logits, axis=-1) - ops.sum(targets * logits, axis=-1)
    weights = ops.cast(weights, "float32")
    counted = ops.sum(weights)
    total = ops.sum(ops.where(weights > 0, loss, 0.0))
    return ops.where(counted > 0, total / ops.where(counted > 0, counted, 1.0), 0.0)
