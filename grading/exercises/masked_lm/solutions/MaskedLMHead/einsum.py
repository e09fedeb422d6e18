"""Keras's own normalization, and einsum for the scores."""

import keras
from keras import layers, ops


class MaskedLMHead(keras.layers.Layer):
    def __init__(self, vocabulary_size, hidden_dim, epsilon=1e-12, **kwargs):
        super().__init__(**kwargs)
        self.vocabulary_size = vocabulary_size
        self.hidden_dim = hidden_dim
        self.epsilon = epsilon

    def build(self, sequence_output_shape, embeddings_shape, positions_shape=None):
        self.dense = layers.Dense(self.hidden_dim, activation="gelu", name="dense", dtype=self.dtype_policy)
        self.dense.activation = lambda x: keras.activations.gelu(x, approximate=False)
        self.norm = layers.LayerNormalization(epsilon=self.epsilon, name="norm", dtype=self.dtype_policy)
        self.dense.build(sequence_output_shape)
        self.norm.build(sequence_output_shape)
        self.output_bias = self.add_weight(shape=(self.vocabulary_size,), initializer="zeros", name="bias")

    def call(self, sequence_output, embeddings, positions=None):
        if positions is not None:
            sequence_output = ops.take_along_axis(sequence_output, ops.expand_dims(positions, -1), axis=1)
        h = self.norm(self.dense(sequence_output))
        return ops.einsum("bph,vh->bpv", h, embeddings) + self.output_bias

    def get_config(self):
        return {**super().get_config(), "vocabulary_size": self.vocabulary_size, "hidden_dim": self.hidden_dim}
