"""An encoder's parameters by name: the path of attributes that leads to each.

The exercises ask for these paths, so an encoder that a student wrote has them, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import keras
import numpy as np

from course.encoder import BertEncoder
from course.validation.values import require_sizes

_EMBEDDING = {
    "token_embedding": ["embeddings"],
    "position_embedding": ["embeddings"],
    "segment_embedding": ["embeddings"],
    "norm": ["gamma", "beta"],
}
_BLOCK = {
    "attention.query_dense": ["kernel", "bias"],
    "attention.key_dense": ["kernel", "bias"],
    "attention.value_dense": ["kernel", "bias"],
    "attention.output_dense": ["kernel", "bias"],
    "attention_norm": ["gamma", "beta"],
    "feed_forward.intermediate_dense": ["kernel", "bias"],
    "feed_forward.output_dense": ["kernel", "bias"],
    "feed_forward_norm": ["gamma", "beta"],
}


class WeightsError(ValueError):
    """Weights that cannot be read, or that do not fit the layer to load them into."""


def parameter_paths(num_layers: int) -> list[str]:
    """The path to every parameter of an encoder, such as "blocks.0.attention.query_dense.kernel".

    Raises:
        ValueError: num_layers is not a positive whole number.
    """
    require_sizes(num_layers=num_layers)
    layers = {f"embedding.{layer}": kinds for layer, kinds in _EMBEDDING.items()}
    for index in range(num_layers):
        layers |= {f"blocks.{index}.{layer}": kinds for layer, kinds in _BLOCK.items()}
    layers["pooler"] = ["kernel", "bias"]
    return [f"{layer}.{kind}" for layer, kinds in layers.items() for kind in kinds]


def parameters(encoder: BertEncoder) -> dict[str, np.ndarray]:
    """A copy of every parameter of a built encoder, by its path.

    Raises:
        WeightsError: the encoder is not built, or keeps a parameter under another name.
    """
    if not hasattr(encoder, "num_layers"):
        raise WeightsError(
            f"Only an encoder has such parameters. Given: {type(encoder).__name__}. Wanted: BertEncoder."
        )
    return values_at(encoder, parameter_paths(encoder.num_layers))


def values_at(layer: keras.layers.Layer, paths: Iterable[str]) -> dict[str, np.ndarray]:
    """A copy of each of these parameters of a built layer, such as an encoder or a head.

    Raises:
        WeightsError: the layer is not built, or a path leads to no parameter.
    """
    return {path: keras.ops.convert_to_numpy(_variable(layer, path).value) for path in paths}


def assign(layer: keras.layers.Layer, arrays: Mapping[str, np.ndarray]) -> None:
    """Gives a built layer, such as an encoder or a head, the parameters at these paths.

    Nothing is assigned unless everything fits.

    Raises:
        WeightsError: a path leads nowhere, or to a parameter of another shape; or an array holds no numbers.
    """
    variables = {path: _variable(layer, path) for path in arrays}
    for path, variable in variables.items():
        require_shape(path, arrays[path], tuple(variable.shape))
        _require_numbers(path, arrays[path])
    for path, variable in variables.items():
        variable.assign(np.asarray(arrays[path], "float32"))


def require_shape(name: str, array: np.ndarray, wanted: tuple[int, ...]) -> None:
    """Raises a WeightsError unless the array has the wanted shape."""
    if not isinstance(array, np.ndarray):
        raise WeightsError(f"{name} must be an array. Given: {type(array).__name__}. Wanted: {wanted}.")
    if array.shape != wanted:
        raise WeightsError(f"{name} has the wrong shape. Given: {array.shape}. Wanted: {wanted}.")


def _require_numbers(name: str, array: np.ndarray) -> None:
    # NumPy reports bfloat16 as kind "V".
    if array.dtype.kind not in "fV" or not np.isfinite(np.asarray(array, "float32")).all():
        raise WeightsError(
            f"{name} must hold numbers with a fraction, all of them finite. Given: {array.dtype}, from "
            f"{array.min()} to {array.max()}. If it comes from a file, that is damaged: get it again."
        )


def _variable(layer: keras.layers.Layer, path: str) -> keras.Variable:
    if not layer.built:
        raise WeightsError(
            f"{layer.name} has no weights yet. Call it on some ids, or call its build((None, None)), first."
        )
    value: Any = layer
    for step in path.split("."):
        try:
            value = value[int(step)] if step.isdigit() else getattr(value, step)
        except (AttributeError, IndexError):
            raise WeightsError(
                f"{layer.name} has no {path}: there is no {step!r} in {type(value).__name__}. "
                "Name your layers and weights as the docstring of each `build` says."
            ) from None
    if not isinstance(value, keras.Variable):
        raise WeightsError(f"{path} must lead to a parameter. Given: one that leads to a {type(value).__name__}.")
    return value
