"""A model's weights in 8 bits, as a file keeps them."""

from __future__ import annotations

import keras
import numpy as np
import safetensors.numpy
from keras import ops

from course.compression import dequantize, quantize


def is_quantized(weight: keras.Variable) -> bool:
    """Whether it is a matrix or a table. Vectors, such as biases, are so few that they stay as they are."""
    return len(weight.shape) == 2


def scale_axis(weight: keras.Variable) -> int:
    """Which axis has scales of its own: a matrix one for each output, a table, which is read row by row, one a row."""
    return 0 if weight.path.endswith("embeddings") else 1


def pack(model: keras.Model) -> bytes:
    """The weights of a model, in the format safetensors: numbered, each matrix as int8 with its scales.

    Raises:
        ValueError: weights that are NaN or infinite.
    """
    arrays: dict[str, np.ndarray] = {}
    for name, weight in _numbered(model).items():
        if is_quantized(weight):
            levels, scale, _ = quantize(weight, axis=scale_axis(weight))
            arrays |= {f"{name}.levels": _array(levels), f"{name}.scale": _array(scale)}
        else:
            arrays[name] = _array(weight)
    return safetensors.numpy.save(arrays)


def unpack(model: keras.Model, content: bytes) -> None:
    """Puts what `pack` wrote into a model of the same sizes, as floats.

    Raises:
        SafetensorError: it is damaged.
        KeyError, ValueError: it is of another model.
    """
    arrays = safetensors.numpy.load(content)
    for name, weight in _numbered(model).items():
        if is_quantized(weight):
            scale = arrays[f"{name}.scale"]
            weight.assign(dequantize(arrays[f"{name}.levels"], scale, np.zeros_like(scale)))
        else:
            weight.assign(arrays[name])


def _numbered(model: keras.Model) -> dict[str, keras.Variable]:
    """Keras's own names count the models made."""
    return {f"{number:05}": weight for number, weight in enumerate(model.weights)}


def _array(tensor: object) -> np.ndarray:
    return ops.convert_to_numpy(tensor)
