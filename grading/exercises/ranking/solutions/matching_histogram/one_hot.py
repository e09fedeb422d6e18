"""Sums one-hot rows of the bin numbers."""

from keras import ops


def matching_histogram(similarity, document_mask, bins=10):
    s = ops.cast(similarity, "float32")
    place = ops.cast(ops.floor((s + 1) * (bins - 1) / 2), "int32")
    place = ops.minimum(ops.maximum(place, 0), bins - 2)
    place = ops.where(s >= 1 - 1e-5, bins - 1, place)
    rows = ops.one_hot(place, bins, dtype="float32")
    rows = rows * ops.cast(document_mask, "float32")[:, None, :, None]
    return ops.log(1 + ops.sum(rows, axis=-2))
