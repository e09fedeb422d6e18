"""No layers inside: every weight is made with add_weight, the bias of the words last."""

import math

import keras
from keras import ops


class MaskedLMHead(keras.layers.Layer):
    def __init__(self, vocabulary_size, hidden_dim, epsilon=1e-12, **kwargs):
        super().__init__(**kwargs)
        self.vocabulary_size = vocabulary_size
        self.hidden_dim = hidden_dim
        self.epsilon = epsilon

    def build(self, sequence_output_shape, embeddings_shape, positions_shape=None):
        width = self.hidden_dim
        self.kernel = self.add_weight(shape=(width, width), initializer="glorot_uniform", name="kernel")
        self.bias = self.add_weight(shape=(width,), initializer="zeros", name="bias")
        self.gamma = self.add_weight(shape=(width,), initializer="ones", name="gamma")
        self.beta = self.add_weight(shape=(width,), initializer="zeros", name="beta")
        self.word_bias = self.add_weight(shape=(self.vocabulary_size,), initializer="zeros", name="word_bias")

    def call(self, sequence_output, embeddings, positions=None):
        x = sequence_output
        if positions is not None:
            rows = ops.arange(ops.shape(x)[0])[:, None] * ops.shape(x)[1]
            flat = ops.reshape(x, (-1, self.hidden_dim))
            x = ops.take(flat, rows + ops.cast(positions, rows.dtype), axis=0)
        x = ops.matmul(x, self.kernel) + self.bias
        x = ops.cast(0.5 * x * (1 + ops.erf(x / math.sqrt(2))), "float32")
        mean = ops.mean(x, axis=-1, keepdims=True)
        variance = ops.mean((x - mean) ** 2, axis=-1, keepdims=True)
        x = (x - mean) * ops.rsqrt(variance + self.epsilon)
        x = ops.cast(x, self.compute_dtype) * self.gamma + self.beta
        return ops.matmul(x, ops.transpose(embeddings)) + self.word_bias

    def get_config(self):
        names = ("vocabulary_size", "hidden_dim", "epsilon")
        return {**super().get_config(), **{name: getattr(self, name) for name in names}}
