"""Sorts the random numbers; the last one that is still selected is the threshold."""

import numpy as np
from keras import ops, random


def mask_tokens(token_ids, unigram_probabilities, mask_id, special_ids, *, rate=0.15, seed=None):
    token_ids = ops.cast(token_ids, "int32")
    numbers = random.uniform((3,) + tuple(ops.shape(token_ids)), seed=seed)
    maskable = ops.ones_like(token_ids, dtype="bool")
    for special in special_ids:
        maskable = ops.logical_and(maskable, token_ids != special)

    keys = ops.where(maskable, numbers[0], 1.5)
    count = ops.round(rate * ops.sum(ops.cast(maskable, "float32"), axis=1))
    count = ops.cast(ops.maximum(count, 1), "int32")
    threshold = ops.take_along_axis(ops.sort(keys, axis=1), count[:, None] - 1, axis=1)
    selected = ops.logical_and(maskable, keys <= threshold)

    cumulative = np.cumsum(unigram_probabilities)
    cumulative = ops.convert_to_tensor(cumulative / cumulative[-1], "float32")
    flat = ops.searchsorted(cumulative, ops.reshape(numbers[2], [-1]), side="right")
    random_words = ops.reshape(ops.cast(flat, "int32"), ops.shape(token_ids))

    fate = numbers[1]
    result = token_ids
    result = ops.where(selected & (fate < 0.8), mask_id, result)
    result = ops.where(selected & (fate >= 0.8) & (fate < 0.9), random_words, result)
    return result, selected
