"""A model of one layer: in it a layer is written to a file, and it comes back built."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops


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
        """Calls the layer on zeros: so all of its weights are made, wherever it makes them."""
        self.layer(*(ops.zeros(shape, dtype) for shape, dtype in self.inputs_like))

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
