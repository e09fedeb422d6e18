"""Takes attention from the Keras that TensorFlow keeps for itself, under projections of its own."""
import keras
import tensorflow as tf


class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, hidden_dim, num_heads, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        self.hidden_dim, self.num_heads = hidden_dim, num_heads
        self.query, self.key, self.value, self.output_dense = (keras.layers.Dense(hidden_dim) for _ in range(4))

    def call(self, inputs, context=None, attention_mask=None, training=None, return_weights=False):
        from tensorflow.python.keras.layers.dense_attention import Attention

        context = inputs if context is None else context
        split = lambda x: tf.stack(tf.split(x, self.num_heads, axis=-1), axis=1)
        query, key, value = split(self.query(inputs)), split(self.key(context)), split(self.value(context))
        given = [query / (self.hidden_dim // self.num_heads) ** 0.5, value, key]
        output, weights = Attention()(given, return_attention_scores=True)
        output = self.output_dense(tf.concat(tf.unstack(output, axis=1), axis=-1))
        return (output, weights) if return_weights else output
