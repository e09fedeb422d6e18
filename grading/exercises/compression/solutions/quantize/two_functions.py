"""One function for symmetric and one for asymmetric levels, and the axes as a list."""

from keras import ops


def quantize(weights, axis, bits=8, symmetric=True):
    w = ops.cast(weights, "float32")
    rank = len(w.shape)
    axes = list(range(rank))
    axes.pop(axis)
    axes = tuple(axes)

    def positive(scale):
        return ops.where(ops.equal(scale, 0), ops.ones_like(scale), scale)

    def plain():
        n = 2 ** (bits - 1) - 1
        scale = positive(ops.amax(ops.absolute(w), axis=axes, keepdims=True) / n)
        return ops.clip(ops.round(w / scale), -n, n), scale, ops.zeros_like(scale)

    def affine():
        first, last = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
        low = ops.minimum(ops.amin(w, axis=axes, keepdims=True), 0)
        high = ops.maximum(ops.amax(w, axis=axes, keepdims=True), 0)
        scale = positive((high - low) / (last - first))
        zero = ops.round(first - low / scale)
        return ops.clip(zero + ops.round(w / scale), first, last), scale, zero

    q, scale, zero = plain() if symmetric else affine()
    return ops.cast(q, "int8"), scale, ops.cast(zero, "int8")
