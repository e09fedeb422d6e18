"""The channels are moved to the front, and each is a row."""

from keras import ops


def quantize(weights, axis, bits=8, symmetric=True):
    rows = ops.moveaxis(ops.cast(weights, "float32"), axis, 0)
    others = list(range(1, len(rows.shape)))
    top = 2 ** (bits - 1) - 1
    if symmetric:
        scale, lowest = ops.amax(ops.abs(rows), axis=others, keepdims=True) / top, -top
    else:
        ends = ops.minimum(ops.amin(rows, others, True), 0), ops.maximum(ops.amax(rows, others, True), 0)
        scale, lowest = (ends[1] - ends[0]) / (2**bits - 1), -top - 1
    scale = ops.where(ops.equal(scale, 0), ops.ones_like(scale), scale)
    zero = ops.zeros_like(scale) if symmetric else ops.round(lowest - ends[0] / scale)
    levels = ops.clip(ops.round(rows / scale) + zero, lowest, top)
    levels, scale, zero = (ops.moveaxis(tensor, 0, axis) for tensor in (levels, scale, zero))
    return ops.cast(levels, "int8"), scale, ops.cast(zero, "int8")
