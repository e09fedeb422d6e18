"""tf.nn.bias_add and tf.matmul on weights of its own."""

import keras
import tensorflow as tf


class NextSentenceHead(keras.layers.Layer):
    def build(self, pooled_output_shape):
        _, width = pooled_output_shape
        self.kernel = self.add_weight(shape=(width, 2), initializer="glorot_uniform", name="kernel")
        self.bias = self.add_weight(shape=(2,), initializer="zeros", name="bias")

    def call(self, pooled_output):
        kernel, bias = tf.convert_to_tensor(self.kernel), tf.convert_to_tensor(self.bias)
        return tf.nn.bias_add(tf.matmul(pooled_output, kernel), bias)
