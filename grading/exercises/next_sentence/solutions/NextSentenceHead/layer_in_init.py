"""__init__ creates the dense layer; Keras builds it."""

import keras


class NextSentenceHead(keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.classifier = keras.layers.Dense(2, name="classifier", dtype=self.dtype_policy)

    def build(self, pooled_output_shape):
        self.classifier.build(pooled_output_shape)

    def call(self, pooled_output):
        return self.classifier(pooled_output)
