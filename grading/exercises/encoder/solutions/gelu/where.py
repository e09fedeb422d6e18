"""Computes both and selects one of them."""

from keras import ops


def gelu(x, approximate=False):
    x = ops.convert_to_tensor(x)
    tanh = ops.tanh(0.7978845608028654 * (x + 0.044715 * ops.square(x) * x))
    erf = ops.erf(x * 0.7071067811865476)
    return ops.multiply(x, ops.add(1.0, ops.where(approximate, tanh, erf))) / 2
