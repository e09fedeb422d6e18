"""Store a model's weights in 8 bits."""

from __future__ import annotations

import keras
import numpy as np
import safetensors.numpy
from keras import ops

from course.compression import dequantize, quantize


def is_quantized(weight: keras.Variable) -> bool:
    """Return whether it is a matrix or a table. Vectors, such as biases, are so small that they stay in floats."""
    return len(weight.shape) == 2


def scale_axis(weight: keras.Variable) -> int:
    """Return the axis of the scales: a matrix has one for each output, a table, which is read by rows, one a row."""
    return 0 if weight.path.endswith("embeddings") else 1


def pack(model: keras.Model) -> bytes:
    """Return the weights of a model in the safetensors format: numbered, each matrix as int8 with its scales.

    Raises:
        ValueError: weights are NaN or infinite.
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
    """Load what `pack` returned into a model of the same sizes, as floats.

    Raises:
        SafetensorError: the content is damaged.
        KeyError, ValueError: it belongs to another model.
    """
    arrays = safetensors.numpy.load(content)
    for name, weight in _numbered(model).items():
        if is_quantized(weight):
            scale = arrays[f"{name}.scale"]
            weight.assign(dequantize(arrays[f"{name}.levels"], scale, np.zeros_like(scale)))
        else:
            weight.assign(arrays[name])


def _numbered(model: keras.Model) -> dict[str, keras.Variable]:
    """Number the weights, because Keras's own names depend on the models made before."""
    return {f"{number:05}": weight for number, weight in enumerate(model.weights)}


def _array(tensor: object) -> np.ndarray:
    return ops.convert_to_numpy(tensor)
