from keras import ops


def teacher_forcing(targets, start_id, end_id, padding_id=0):
    inputs = ops.pad(targets, ((0, 0), (1, 0)), constant_values=start_id)
    padded = ops.pad(targets, ((0, 0), (0, 1)), constant_values=padding_id)
    is_word = ops.cast(ops.not_equal(padded, padding_id), "int32")
    # The first place without a word is the one where everything before it is a word.
    before = ops.concatenate([ops.ones_like(is_word[:, :1]), is_word[:, :-1]], axis=1)
    is_end = ops.logical_and(ops.equal(before, 1), ops.equal(is_word, 0))
    labels = ops.where(is_end, ops.cast(end_id, padded.dtype), padded)
    return inputs, labels, ops.cast(ops.logical_or(is_end, ops.equal(is_word, 1)), "float32")
