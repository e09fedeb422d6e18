"""tf.gather with batch_dims, and a matmul that transposes; the parts of chapter 4 for the transform."""

import keras
import tensorflow as tf

from course.encoder import LayerNorm, gelu, projection


class MaskedLMHead(keras.layers.Layer):
    def __init__(self, vocabulary_size, hidden_dim, epsilon=1e-12, **kwargs):
        super().__init__(**kwargs)
        self.vocabulary_size = vocabulary_size
        self.hidden_dim = hidden_dim
        self.epsilon = epsilon

    def build(self, sequence_output_shape, embeddings_shape, positions_shape=None):
        self.output_bias = self.add_weight((self.vocabulary_size,), "zeros", name="bias")
        self.norm = LayerNorm(self.epsilon, name="norm", dtype=self.dtype_policy)
        self.norm.build(sequence_output_shape)
        self.dense = projection(self.hidden_dim, "dense", dtype=self.dtype_policy)
        self.dense.build(sequence_output_shape)

    def call(self, sequence_output, embeddings, positions=None):
        if positions is not None:
            sequence_output = tf.gather(sequence_output, positions, batch_dims=1)
        hidden = self.norm(gelu(self.dense(sequence_output)))
        batch, length = tf.shape(hidden)[0], tf.shape(hidden)[1]
        flat = tf.reshape(hidden, [-1, self.hidden_dim])
        logits = tf.matmul(flat, embeddings, transpose_b=True)
        return tf.reshape(logits, [batch, length, self.vocabulary_size]) + self.output_bias

    def get_config(self):
        return dict(
            super().get_config(),
            vocabulary_size=self.vocabulary_size,
            hidden_dim=self.hidden_dim,
            epsilon=self.epsilon,
        )
