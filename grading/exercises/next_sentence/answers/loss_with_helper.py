def next_sentence_loss(labels, logits):
    logits = ops.cast(logits, "float32")
    right = ops.cast(labels, "float32")
    return ops.mean((1 - right) * surprise(logits[:, 0], logits[:, 1]) + right * surprise(logits[:, 1], logits[:, 0]))
