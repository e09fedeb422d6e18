"""Gives its layer a thousand weights, so that they can be laid out in countless ways."""
import keras


class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, hidden_dim, num_heads, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        for number in range(1000):
            self.add_weight(shape=(8, 12), name=f"query{number}")

    def call(self, inputs, context=None, attention_mask=None, training=None, return_weights=False):
        return inputs
