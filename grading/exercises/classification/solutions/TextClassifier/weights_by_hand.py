"""No layers except the encoder: matrix, bias and dropout are written out."""

import keras
from keras import ops


class TextClassifier(keras.Model):
    def __init__(self, encoder, num_classes, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.encoder = encoder
        self.num_classes = num_classes
        self.dropout = dropout
        self.seeds = keras.random.SeedGenerator()

    def build(self, inputs_shape):
        if not self.encoder.built:
            self.encoder.build((None, None))
        self.w = self.add_weight((self.encoder.hidden_dim, self.num_classes), "glorot_uniform", name="w")
        self.b = self.add_weight((self.num_classes,), "zeros", name="b")

    def call(self, inputs, training=None):
        token_ids = inputs["token_ids"]
        x = self.encoder(token_ids, inputs.get("segment_ids"), inputs.get("padding_mask"))["pooled_output"]
        if training and self.dropout > 0:
            kept = keras.random.uniform(ops.shape(x), seed=self.seeds) >= self.dropout
            x = ops.where(kept, x / (1 - self.dropout), ops.zeros_like(x))
        return ops.einsum("bh,hc->bc", x, ops.cast(self.w, x.dtype)) + ops.cast(self.b, x.dtype)
