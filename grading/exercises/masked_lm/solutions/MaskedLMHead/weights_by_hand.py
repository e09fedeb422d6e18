"""Custom layers inside: add_weight makes every weight, the bias of the words first."""

import math

import keras
from keras import ops


class Matrix(keras.layers.Layer):
    def build(self, shape):
        self.kernel = self.add_weight(shape=(shape[-1], shape[-1]), initializer="glorot_uniform", name="kernel")
        self.bias = self.add_weight(shape=(shape[-1],), initializer="zeros", name="bias")

    def call(self, x):
        return ops.matmul(x, self.kernel) + self.bias


class Standardize(keras.layers.Layer):
    def __init__(self, epsilon, **kwargs):
        super().__init__(**kwargs)
        self.epsilon = epsilon

    def build(self, shape):
        self.gamma = self.add_weight(shape=(shape[-1],), initializer="ones", name="gamma")
        self.beta = self.add_weight(shape=(shape[-1],), initializer="zeros", name="beta")

    def call(self, x):
        x = ops.cast(x, "float32")
        mean = ops.mean(x, axis=-1, keepdims=True)
        variance = ops.mean((x - mean) ** 2, axis=-1, keepdims=True)
        x = (x - mean) * ops.rsqrt(variance + self.epsilon)
        return ops.cast(x, self.compute_dtype) * self.gamma + self.beta


class MaskedLMHead(keras.layers.Layer):
    def __init__(self, vocabulary_size, hidden_dim, epsilon=1e-12, **kwargs):
        super().__init__(**kwargs)
        self.vocabulary_size = vocabulary_size
        self.hidden_dim = hidden_dim
        self.epsilon = epsilon

    def build(self, sequence_output_shape, embeddings_shape, positions_shape=None):
        self.output_bias = self.add_weight(shape=(self.vocabulary_size,), initializer="zeros", name="word_bias")
        self.dense = Matrix(name="matrix", dtype=self.dtype_policy)
        self.norm = Standardize(self.epsilon, name="standardize", dtype=self.dtype_policy)
        self.dense.build(sequence_output_shape)
        self.norm.build(sequence_output_shape)

    def call(self, sequence_output, embeddings, positions=None):
        x = sequence_output
        if positions is not None:
            rows = ops.arange(ops.shape(x)[0])[:, None] * ops.shape(x)[1]
            flat = ops.reshape(x, (-1, self.hidden_dim))
            x = ops.take(flat, rows + ops.cast(positions, rows.dtype), axis=0)
        x = self.dense(x)
        x = self.norm(0.5 * x * (1 + ops.erf(x / math.sqrt(2))))
        return ops.matmul(x, ops.transpose(embeddings)) + self.output_bias

    def get_config(self):
        names = ("vocabulary_size", "hidden_dim", "epsilon")
        return {**super().get_config(), **{name: getattr(self, name) for name in names}}
