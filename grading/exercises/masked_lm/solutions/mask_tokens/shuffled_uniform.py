"""Helper functions, a table of 0 and 1 for the special ids, and the inverse of the distribution in float64."""

import numpy as np
from keras import ops, random


def choose(maskable, numbers, rate):
    number = ops.maximum(ops.round(ops.sum(ops.cast(maskable, "float32"), axis=-1) * rate), 1)
    order = ops.argsort(ops.where(maskable, numbers, 3.0), axis=-1)
    rank = ops.argsort(order, axis=-1)
    return ops.logical_and(ops.cast(rank, "float32") < number[:, None], maskable)


def draw(numbers, probabilities):
    edges = np.cumsum(probabilities)
    edges = edges[:-1] / edges[-1]
    return ops.cast(ops.sum(ops.cast(numbers[..., None] >= edges.astype("float32"), "int32"), axis=-1), "int32")


def mask_tokens(token_ids, unigram_probabilities, mask_id, special_ids, *, rate=0.15, seed=None):
    ids = ops.cast(token_ids, "int32")
    is_special = np.zeros(len(unigram_probabilities), "bool")
    is_special[list(special_ids)] = True
    maskable = ops.logical_not(ops.take(ops.convert_to_tensor(is_special), ids, axis=0))

    batch, length = ops.shape(ids)
    numbers = random.uniform((batch, length, 3), seed=seed)
    selected = choose(maskable, numbers[..., 0], rate)
    word = draw(numbers[..., 1], unigram_probabilities)
    fate = numbers[..., 2]
    masked = ops.logical_and(selected, fate > 0.2)
    swapped = ops.logical_and(selected, fate < 0.1)
    return ops.where(masked, mask_id, ops.where(swapped, word, ids)), selected
