"""Keras's functions quantize; products are computed in float64, which is exact enough."""

import keras
from keras import ops


class QuantizedDense(keras.layers.Layer):
    def __init__(self, units, activation=None, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.activation = keras.activations.get(activation)

    def build(self, x_shape):
        plain = {"initializer": "zeros", "trainable": False, "autocast": False}
        self.kernel = self.add_weight((x_shape[-1], self.units), dtype="int8", name="kernel", **plain)
        self.scale = self.add_weight((1, self.units), dtype="float32", name="scale", **plain)
        self.bias = self.add_weight((self.units,), dtype="float32", name="bias", **plain)

    def get_config(self):
        config = {"units": self.units, "activation": keras.activations.serialize(self.activation)}
        return {**super().get_config(), **config}

    @classmethod
    def from_dense(cls, dense):
        new = cls(dense.units, dense.activation, name=dense.name, dtype=dense.dtype_policy)
        new.build((None, dense.kernel.shape[0]))
        top = ops.max(ops.abs(dense.kernel), axis=0, keepdims=True)
        new.scale.assign(ops.where(top > 0, top / 127, 1.0))
        new.kernel.assign(ops.cast(ops.round(dense.kernel / new.scale), "int8"))
        new.bias.assign(dense.bias if dense.use_bias else ops.zeros((dense.units,)))
        return new

    def call(self, x):
        x32 = ops.cast(x, "float32")
        top = ops.max(ops.abs(x32), axis=-1, keepdims=True)
        scale = ops.where(top > 0, top / 127, 1.0)
        whole = ops.round(x32 / scale)
        sums = ops.einsum("...i,ij->...j", ops.cast(whole, "float64"), ops.cast(self.kernel, "float64"))
        y = ops.cast(sums, "float32") * scale * self.scale
        return ops.cast(self.activation(y + self.bias), x.dtype)
