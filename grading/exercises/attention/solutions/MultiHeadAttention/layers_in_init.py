"""__init__ creates the projections, with other names and in another order."""

import tensorflow as tf
from tensorflow import keras


class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, hidden_dim, num_heads, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        self.hidden_dim = hidden_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.depth = hidden_dim // num_heads
        self.wv = keras.layers.Dense(hidden_dim, name="wv", dtype=self.dtype_policy)
        self.wk = keras.layers.Dense(hidden_dim, name="wk", dtype=self.dtype_policy)
        self.wq = keras.layers.Dense(hidden_dim, name="wq", dtype=self.dtype_policy)
        self.wo = keras.layers.Dense(hidden_dim, name="wo", dtype=self.dtype_policy)
        self.drop = keras.layers.Dropout(dropout, dtype=self.dtype_policy)

    def build(self, inputs_shape, context_shape=None):
        for dense in (self.wv, self.wk):
            dense.build(context_shape or inputs_shape)
        self.wq.build(inputs_shape)
        self.wo.build((*inputs_shape[:-1], self.hidden_dim))

    def split_heads(self, x, batch_size):
        x = tf.reshape(x, (batch_size, -1, self.num_heads, self.depth))
        return tf.transpose(x, perm=[0, 2, 1, 3])

    def call(self, inputs, context=None, attention_mask=None, training=None, return_weights=False):
        batch_size = tf.shape(inputs)[0]
        context = inputs if context is None else context
        q = self.split_heads(self.wq(inputs), batch_size)
        k = self.split_heads(self.wk(context), batch_size)
        v = self.split_heads(self.wv(context), batch_size)

        logits = tf.matmul(q, k, transpose_b=True)
        logits = tf.cast(logits, tf.float32) / tf.math.sqrt(tf.cast(self.depth, tf.float32))
        if attention_mask is not None:
            if attention_mask.shape.rank == 3:
                attention_mask = attention_mask[:, tf.newaxis]
            logits = tf.where(attention_mask, logits, -1e9)
        attention_weights = tf.cast(tf.nn.softmax(logits, axis=-1), v.dtype)

        output = tf.matmul(self.drop(attention_weights, training=training), v)
        output = tf.transpose(output, perm=[0, 2, 1, 3])
        output = tf.reshape(output, (batch_size, -1, self.hidden_dim))
        output = self.wo(output)
        return (output, attention_weights) if return_weights else output

    def get_config(self):
        config = super().get_config()
        config.update({"hidden_dim": self.hidden_dim, "num_heads": self.num_heads, "dropout": self.dropout})
        return config
