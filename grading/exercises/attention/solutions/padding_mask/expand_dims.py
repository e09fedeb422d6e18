"""Finds padding and negates it; adds axes one at a time."""

from keras import ops


def padding_mask(token_ids, padding_id=0):
    is_padding = ops.equal(token_ids, padding_id)
    mask = ops.logical_not(is_padding)
    mask = ops.expand_dims(mask, axis=1)
    mask = ops.expand_dims(mask, axis=1)
    return mask
