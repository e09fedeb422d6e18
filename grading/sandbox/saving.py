"""A layer on its way through a .keras file: written, read back, and built."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import keras
import numpy as np
from keras import ops
from keras.src.saving import saving_lib

from grading.sandbox.building import build_by_call


def saved(layer: keras.layers.Layer, inputs: Sequence[np.ndarray], path: Path) -> bytes:
    """The file to which a layer is saved, with all of its weights.

    Args:
        layer: the layer.
        inputs: arrays on which it can be called.
        path: where the file is for a moment.
    """
    model = LayerModel(layer, [(array.shape, str(array.dtype)) for array in inputs])
    model.built = layer.built
    try:
        with _attributes_looked_up_once():
            model.save(path)
        return path.read_bytes()
    finally:
        path.unlink(missing_ok=True)


def loaded(data: bytes, own: Iterable[type], path: Path) -> Any:
    """The layer from a file.

    Args:
        data: the file.
        own: the student's classes. Of classes of one name - theirs, the library's - Keras knows the latest; these win.
        path: where the file is for a moment.
    """
    known = keras.saving.get_custom_objects()
    before = dict(known)
    try:
        path.write_bytes(data)
        known.update({keras.saving.get_registered_name(cls): cls for cls in own})
        with _attributes_looked_up_once():
            return keras.saving.load_model(path).layer
    finally:
        known.clear()
        known.update(before)
        path.unlink(missing_ok=True)


@keras.saving.register_keras_serializable(package="grading")
class LayerModel(keras.Model):
    """Calls its layer, and nothing else.

    Args:
        layer: what is held.
        inputs: the shape and the dtype of each input.
    """

    def __init__(self, layer: keras.layers.Layer, inputs: list[tuple[tuple[int, ...], str]], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.layer = layer
        self.inputs_like = inputs

    def build(self, *shapes: tuple[int, ...]) -> None:
        """Calls the layer on zeros, unless it is built: so all of its weights are made, wherever it makes them."""
        build_by_call(self.layer, [ops.zeros(shape, dtype) for shape, dtype in self.inputs_like])

    def call(self, *inputs: Any) -> Any:
        return self.layer(*inputs)

    def get_build_config(self) -> dict[str, Any]:
        return {"inputs": len(self.inputs_like)}

    def build_from_config(self, config: dict[str, Any]) -> None:
        self.build()

    def get_config(self) -> dict[str, Any]:
        return {"layer": keras.saving.serialize_keras_object(self.layer), "inputs": self.inputs_like}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> LayerModel:
        return cls(keras.saving.deserialize_keras_object(config["layer"]), config["inputs"])


_attributes_of_keras = functools.cache(saving_lib.get_attr_skipset)


@contextmanager
def _attributes_looked_up_once() -> Iterator[None]:
    """Keras means to remember which attributes every layer has, and looks them up again for each layer of a model."""
    with mock.patch.object(saving_lib, "get_attr_skipset", _attributes_of_keras):
        yield
