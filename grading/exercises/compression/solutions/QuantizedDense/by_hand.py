"""Without `quantize`: computes the scales, and products in int32."""

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
        layer = cls(dense.units, activation=dense.activation, name=dense.name, dtype=dense.dtype_policy)
        layer.build((None, dense.kernel.shape[0]))
        kernel = ops.cast(dense.kernel.value, "float32")
        scale = ops.max(ops.abs(kernel), axis=0, keepdims=True) / 127.0
        scale = ops.where(scale == 0, 1.0, scale)
        layer.scale.assign(scale)
        layer.kernel.assign(ops.cast(ops.clip(ops.round(kernel / scale), -127, 127), "int8"))
        if dense.bias is not None:
            layer.bias.assign(dense.bias)
        return layer

    def call(self, x):
        features = ops.cast(x, "float32")
        scale = ops.max(ops.abs(features), axis=-1, keepdims=True) / 127.0
        scale = ops.where(scale == 0, 1.0, scale)
        whole = ops.cast(ops.round(features / scale), "int32")
        sums = ops.matmul(whole, ops.cast(self.kernel.value, "int32"))
        y = ops.cast(sums, "float32") * (scale * self.scale) + self.bias
        return ops.cast(self.activation(y), x.dtype)
