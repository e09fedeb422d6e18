"""Ids whose difference from the padding id is not 0 are True."""

from keras import ops


def padding_mask(token_ids, padding_id=0):
    token_ids = ops.convert_to_tensor(token_ids, dtype="int32")
    batch, length = ops.shape(token_ids)
    return ops.reshape(ops.cast(token_ids - padding_id, "bool"), (batch, 1, 1, length))
