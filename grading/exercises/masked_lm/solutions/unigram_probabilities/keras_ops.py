"""keras.ops from end to end."""

from keras import ops


def unigram_probabilities(token_ids, vocabulary_size, special_ids):
    flat = ops.convert_to_tensor(token_ids.ravel(), "int32")
    counts = ops.cast(ops.bincount(flat, minlength=vocabulary_size), "float32")
    ids = ops.arange(vocabulary_size)
    for special in special_ids:
        counts = ops.where(ids == special, 0.0, counts)
    return counts / ops.sum(counts)
