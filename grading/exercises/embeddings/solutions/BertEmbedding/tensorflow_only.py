"""TensorFlow's own operations, with the layers of the lesson."""

import tensorflow as tf
from tensorflow import keras


class BertEmbedding(keras.layers.Layer):
    def __init__(
        self, vocabulary_size, hidden_dim, max_length, num_segments=2, dropout=0.1, *, epsilon=1e-12, **kwargs
    ):
        super().__init__(**kwargs)
        self.vocabulary_size = vocabulary_size
        self.hidden_dim = hidden_dim
        self.max_length = max_length
        self.num_segments = num_segments
        self.dropout = dropout
        self.epsilon = epsilon
        self.dropout_layer = keras.layers.Dropout(dropout, dtype=self.dtype_policy)

    def build(self, token_ids_shape):
        self.word_embeddings = keras.layers.Embedding(self.vocabulary_size, self.hidden_dim, dtype=self.dtype_policy)
        self.position_embeddings = keras.layers.Embedding(self.max_length, self.hidden_dim, dtype=self.dtype_policy)
        self.token_type_embeddings = keras.layers.Embedding(self.num_segments, self.hidden_dim, dtype=self.dtype_policy)
        for table in (self.word_embeddings, self.position_embeddings, self.token_type_embeddings):
            table.build((None, None))
        self.LayerNorm = keras.layers.LayerNormalization(epsilon=self.epsilon, dtype=self.dtype_policy)
        self.LayerNorm.build((None, None, self.hidden_dim))

    def call(self, token_ids, segment_ids=None):
        input_shape = tf.shape(token_ids)
        if segment_ids is None:
            segment_ids = tf.zeros(input_shape, tf.int32)
        position_ids = tf.tile(tf.range(input_shape[1])[tf.newaxis], (input_shape[0], 1))
        embeddings = self.word_embeddings(token_ids)
        embeddings += tf.gather(self.position_embeddings.embeddings, position_ids)
        embeddings += self.token_type_embeddings(segment_ids)
        return self.dropout_layer(self.LayerNorm(embeddings))

    def get_config(self):
        config = super().get_config()
        config["vocabulary_size"] = self.vocabulary_size
        config["hidden_dim"] = self.hidden_dim
        config["max_length"] = self.max_length
        config["num_segments"] = self.num_segments
        config["dropout"] = self.dropout
        config["epsilon"] = self.epsilon
        return config
