"""A Sequential head of dropout and projection; the encoder gets its arguments by name."""

import keras


class TokenClassifier(keras.Model):
    def __init__(self, encoder, num_tags, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.encoder = encoder
        self.num_tags = num_tags
        self.dropout = dropout
        self.dropout_layer = keras.layers.Dropout(dropout, dtype=self.dtype_policy)

    def build(self, inputs_shape):
        if not self.encoder.built:
            self.encoder.build((None, None))
        self.head = keras.Sequential(
            [
                keras.layers.Input((None, self.encoder.hidden_dim)),
                self.dropout_layer,
                keras.layers.Dense(self.num_tags, name="logits", dtype=self.dtype_policy),
            ]
        )

    def call(self, inputs, training=None):
        return self.head(self.encoder(**inputs)["sequence_output"], training=training)
