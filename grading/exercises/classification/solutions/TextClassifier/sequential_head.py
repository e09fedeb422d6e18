"""The head is a Sequential model of dropout and projection, and the encoder gets its arguments by name."""

import keras


class TextClassifier(keras.Model):
    def __init__(self, encoder, num_classes, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.encoder = encoder
        self.num_classes = num_classes
        self.dropout = dropout
        self.dropout_layer = keras.layers.Dropout(dropout, dtype=self.dtype_policy)

    def build(self, inputs_shape):
        if not self.encoder.built:
            self.encoder.build((None, None))
        self.head = keras.Sequential(
            [
                keras.layers.Input((self.encoder.hidden_dim,)),
                self.dropout_layer,
                keras.layers.Dense(self.num_classes, name="logits", dtype=self.dtype_policy),
            ]
        )

    def call(self, inputs, training=None):
        return self.head(self.encoder(**inputs)["pooled_output"], training=training)
