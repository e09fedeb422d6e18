"""True and False chosen by ops.where."""

from keras import ops


def padding_mask(token_ids, padding_id=0):
    tokens = ops.where(ops.equal(token_ids, padding_id), False, True)
    return ops.expand_dims(tokens, axis=(1, 2))
