"""No layers inside: tables, scale and shift are weights of the layer, and the normalization is written out."""

import keras
from keras import ops


class BertEmbedding(keras.Layer):
    def __init__(
        self, vocabulary_size, hidden_dim, max_length, num_segments=2, dropout=0.1, *, epsilon=1e-12, **kwargs
    ):
        super().__init__(**kwargs)
        self.sizes = dict(
            vocabulary_size=vocabulary_size, hidden_dim=hidden_dim, max_length=max_length, num_segments=num_segments
        )
        self.dropout, self.epsilon = dropout, epsilon
        self.seeds = keras.random.SeedGenerator()

    def build(self, token_ids_shape):
        d = self.sizes["hidden_dim"]
        self.scale = self.add_weight(shape=(d,), initializer="ones", name="scale")
        self.shift = self.add_weight(shape=(d,), initializer="zeros", name="shift")
        self.words = self.add_weight(shape=(self.sizes["vocabulary_size"], d), name="words")
        self.segments = self.add_weight(shape=(self.sizes["num_segments"], d), name="segments")
        self.places = self.add_weight(shape=(self.sizes["max_length"], d), name="places")

    def call(self, token_ids, segment_ids=None, training=None):
        length = ops.shape(token_ids)[1]
        x = ops.take(self.words, token_ids, axis=0) + self.places[:length]
        if segment_ids is None:
            x = x + self.segments[0]
        else:
            x = x + ops.take(self.segments, segment_ids, axis=0)
        mean, variance = ops.moments(x, axes=[-1], keepdims=True)
        x = self.scale * (x - mean) / ops.sqrt(variance + self.epsilon) + self.shift
        if training and self.dropout:
            x = keras.random.dropout(x, self.dropout, seed=self.seeds)
        return x

    def get_config(self):
        return {**super().get_config(), **self.sizes, "dropout": self.dropout, "epsilon": self.epsilon}
