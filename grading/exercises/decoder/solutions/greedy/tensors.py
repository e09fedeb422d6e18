from keras import ops


def greedy(step, start_ids, end_id, max_length, padding_id=0):
    ids = ops.cast(ops.convert_to_tensor(start_ids), "int32")[:, None]
    ended = ops.zeros_like(ids[:, 0], dtype="bool")
    while ids.shape[1] <= max_length and not bool(ops.all(ended)):
        best = ops.cast(ops.argmax(ops.convert_to_tensor(step(ids)), axis=1), "int32")
        best = ops.where(ended, padding_id, best)
        ended = ops.logical_or(ended, best == end_id)
        ids = ops.concatenate([ids, best[:, None]], axis=1)
    return ids[:, 1:]
