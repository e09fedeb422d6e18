"""The pooler is applied to the first token by hand, and the axis of the tokens stays until the end."""

import keras
from course.encoder import projection


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
        self.logits_dense = projection(self.num_classes, "logits", dtype=self.dtype_policy)
        self.logits_dense.build((None, self.encoder.hidden_dim))

    def call(self, inputs, training=None):
        words = self.encoder(*[inputs.get(name) for name in ("token_ids", "segment_ids", "padding_mask")])
        first = words["sequence_output"][:, :1]
        pooled = self.dropout_layer(self.encoder.pooler(first))
        return self.logits_dense(pooled)[:, 0]
