"""One comparison, and axes by slicing."""

from keras import ops


def padding_mask(token_ids, padding_id=0):
    real = ops.convert_to_tensor(token_ids) != padding_id
    return real[:, None, None]
