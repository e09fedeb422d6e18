"""Returns a NumPy array."""

import numpy as np


def padding_mask(token_ids, padding_id=0):
    token_ids = np.asarray(token_ids)
    return np.expand_dims(~(token_ids == padding_id), (-2, -3))
