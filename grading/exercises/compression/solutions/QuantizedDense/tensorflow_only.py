"""TensorFlow, with an int8 product that sums in int32."""

import tensorflow as tf
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
        made = cls(dense.units, activation=dense.activation, name=dense.name, dtype=dense.dtype_policy)
        kernel = tf.convert_to_tensor(dense.kernel.numpy())
        made.build((None, kernel.shape[0]))
        scale = tf.reduce_max(tf.abs(kernel), axis=0, keepdims=True) / 127.0
        scale = tf.where(scale > 0, scale, 1.0)
        values = [tf.cast(tf.round(kernel / scale), tf.int8), scale]
        values.append(dense.bias.numpy() if dense.use_bias else tf.zeros(dense.units))
        made.set_weights([v.numpy() if hasattr(v, "numpy") else v for v in values])
        return made

    def call(self, x):
        flat = tf.reshape(tf.cast(x, tf.float32), (-1, self.kernel.shape[0]))
        scale = tf.math.divide_no_nan(tf.reduce_max(tf.abs(flat), axis=1, keepdims=True), 127.0)
        q = tf.cast(tf.round(tf.math.divide_no_nan(flat, scale)), tf.int8)
        sums = tf.matmul(q, self.kernel.value, output_type=tf.int32)
        y = self.activation(tf.cast(sums, tf.float32) * scale * self.scale + self.bias)
        return tf.cast(tf.reshape(y, tf.concat([tf.shape(x)[:-1], [self.units]], 0)), x.dtype)
