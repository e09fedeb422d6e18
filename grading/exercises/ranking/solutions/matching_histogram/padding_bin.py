"""Padding has its own bin, which is discarded."""

from keras import ops


def matching_histogram(similarity, document_mask, bins=10):
    s = ops.stop_gradient(ops.cast(similarity, "float32"))
    place = ops.clip(ops.floor((s + 1) / 2 * (bins - 1)), 0, bins - 2)
    place = ops.where(s > 1 - 1.01e-5, float(bins - 1), place)
    place = ops.where(document_mask[:, None, :], place, float(bins))
    hot = ops.one_hot(ops.cast(place, "int32"), bins + 1)
    return ops.log1p(ops.sum(ops.cast(hot, "float32"), axis=2)[..., :bins])
