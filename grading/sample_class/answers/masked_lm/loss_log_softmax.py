def masked_lm_loss(labels, logits, weights):
    surprise = -ops.log_softmax(ops.cast(logits, "float32"), axis=-1)
    surprise = ops.take_along_axis(surprise, ops.cast(labels, "int32")[:, :, None], axis=-1)[:, :, 0]
    weights = ops.cast(weights, "float32")
    return ops.sum(surprise * weights) / ops.maximum(ops.sum(weights), 1.0)
