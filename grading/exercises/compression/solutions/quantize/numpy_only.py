"""NumPy, with the channels moved to the front."""

import numpy as np


def quantize(weights, axis, bits=8, symmetric=True):
    w = np.asarray(weights).astype("float32")
    rows = np.moveaxis(w, axis, 0).reshape(w.shape[axis], -1)
    shape = [1] * w.ndim
    shape[axis] = -1
    top = np.float32(2 ** (bits - 1) - 1)
    if symmetric:
        scale = np.abs(rows).max(axis=1) / top
        lowest = -top
    else:
        low, high = np.minimum(rows.min(axis=1), 0), np.maximum(rows.max(axis=1), 0)
        scale = (high - low) / np.float32(2**bits - 1)
        lowest = -top - 1
    scale[scale == 0] = 1
    zero = np.zeros_like(scale) if symmetric else np.rint(lowest - low / scale)
    scale, zero = scale.reshape(shape), zero.reshape(shape)
    levels = np.clip(np.rint(w / scale) + zero, lowest, top)
    return levels.astype("int8"), scale, zero.astype("int8")
