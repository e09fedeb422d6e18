"""Gathers by a product with one-hot rows; layers are made in __init__."""

import keras
from keras import ops


class MaskedLMHead(keras.layers.Layer):
    def __init__(self, vocabulary_size, hidden_dim, epsilon=1e-12, **kwargs):
        super().__init__(**kwargs)
        self.vocabulary_size = vocabulary_size
        self.hidden_dim = hidden_dim
        self.epsilon = epsilon
        self.dense = keras.layers.Dense(hidden_dim, name="transform", dtype=self.dtype_policy)
        self.norm = keras.layers.LayerNormalization(epsilon=epsilon, name="norm", dtype=self.dtype_policy)

    def build(self, sequence_output_shape, embeddings_shape, positions_shape=None):
        self.dense.build(sequence_output_shape)
        self.norm.build(sequence_output_shape)
        self.output_bias = self.add_weight(shape=(embeddings_shape[0],), initializer="zeros", name="output_bias")

    def call(self, sequence_output, embeddings, positions=None):
        x = sequence_output
        if positions is not None:
            chosen = ops.one_hot(positions, ops.shape(x)[1], dtype=x.dtype)  # (batch, predictions, length)
            x = ops.matmul(chosen, x)
        x = self.dense(x)
        x = self.norm(keras.activations.gelu(x, approximate=False))
        return ops.add(ops.dot(x, ops.transpose(embeddings)), self.output_bias)

    def get_config(self):
        config = super().get_config()
        config.update(vocabulary_size=self.vocabulary_size, hidden_dim=self.hidden_dim, epsilon=self.epsilon)
        return config
