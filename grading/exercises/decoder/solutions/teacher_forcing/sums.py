from keras import ops


def teacher_forcing(targets, start_id, end_id, padding_id=0):
    targets = ops.convert_to_tensor(targets)
    batch, length = ops.shape(targets)
    fill = lambda number: ops.cast(ops.ones((batch, 1)) * number, targets.dtype)
    inputs = ops.concatenate([fill(start_id), targets], axis=-1)
    weights = ops.cast(inputs != padding_id, "float32")
    labels = ops.concatenate([inputs[:, 1:], fill(padding_id)], axis=-1)
    last = ops.cast(weights, "int32") - ops.concatenate(
        [ops.cast(weights[:, 1:], "int32"), ops.zeros((batch, 1), "int32")], axis=1
    )
    last = ops.cast(last, targets.dtype)
    labels = labels * (1 - last) + end_id * last
    return inputs, labels, weights
