"""Int32 tensordot written out, with a property for the levels and a static method."""
# exercise: QuantizedDense; right: 4
from __future__ import annotations


from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from my_bert.classification import Inputs, predict
from my_bert.encoder import BertEncoder, arguments, projection
from course.validation.arrays import require_floats, require_integers, require_same_shapes
from course.validation.compression import (
    name_of_activation,
    require_activation,
    require_finite,
    require_layer_map,
    require_layers_of_both,
    require_levels,
    require_logits_and_labels,
    require_teacher,
    require_temperature,
    require_widths,
    rows_of,
)
from course.validation.values import require_fractions, require_instance, require_sizes

@keras.saving.register_keras_serializable(package="course")
class QuantizedDense(keras.layers.Layer):

    def __init__(self, units: int, activation: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        require_sizes(units=units)
        self.units = units
        self.activation = require_activation(activation)

    def build(self, x_shape: tuple) -> None:
        plain = {"initializer": "zeros", "trainable": False, "autocast": False}
        self.kernel = self.add_weight((x_shape[-1], self.units), dtype="int8", name="kernel", **plain)
        self.scale = self.add_weight((1, self.units), dtype="float32", name="scale", **plain)
        self.bias = self.add_weight((self.units,), dtype="float32", name="bias", **plain)

    @classmethod
    def from_dense(cls, dense: keras.layers.Dense) -> QuantizedDense:
        require_instance(dense, "dense", keras.layers.Dense)
        made = cls(units=dense.units, activation=dense.activation, name=dense.name, dtype=dense.dtype_policy)
        made.build((None, dense.kernel.shape[0]))
        kernel = ops.cast(dense.kernel, "float32")
        require_finite(kernel, "kernel")
        levels, scale = cls._levels(kernel, 0)
        made.set_weights([ops.convert_to_numpy(each) for each in (levels, scale, dense.bias if dense.use_bias else made.bias)])
        return made

    @staticmethod
    def _levels(x, axis):
        top = ops.max(ops.abs(x), axis=axis, keepdims=True)
        scale = top / 127
        scale = ops.where(scale < 2e-38, 1.0, scale)
        return ops.cast(ops.clip(ops.round(x / scale), -127, 127), "int8"), scale

    def call(self, x: Any) -> Any:
        levels, scale = self._levels(ops.cast(x, "float32"), -1)
        sums = ops.tensordot(ops.cast(levels, "int32"), ops.cast(self.kernel, "int32"), axes=1)
        y = ops.cast(sums, "float32") * (scale * self.scale[0]) + self.bias
        return ops.cast(self.activation(y), x.dtype)

    def compute_output_shape(self, x_shape: tuple) -> tuple:
        return (*x_shape[:-1], self.units)

    def get_config(self) -> dict[str, Any]:
        config = {"units": self.units, "activation": name_of_activation(self.activation)}
        return {**super().get_config(), **config}
