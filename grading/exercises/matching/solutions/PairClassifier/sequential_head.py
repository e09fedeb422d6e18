"""A Sequential head of dropout and projection, and a reshape."""

import keras


class PairClassifier(keras.Model):
    def __init__(self, encoder, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.encoder = encoder
        self.dropout = dropout
        self.dropout_layer = keras.layers.Dropout(dropout, dtype=self.dtype_policy)

    def build(self, inputs_shape):
        if not self.encoder.built:
            self.encoder.build((None, None))
        self.head = keras.Sequential(
            [
                keras.layers.Input((self.encoder.hidden_dim,)),
                self.dropout_layer,
                keras.layers.Dense(1, name="logit", dtype=self.dtype_policy),
                keras.layers.Reshape((), dtype=self.dtype_policy),
            ]
        )

    def call(self, inputs, training=None):
        return self.head(self.encoder(**inputs)["pooled_output"], training=training)
