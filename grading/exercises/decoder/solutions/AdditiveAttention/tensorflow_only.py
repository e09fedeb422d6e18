import keras
import tensorflow as tf


class AdditiveAttention(keras.layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def build(self, query_shape, keys_shape):
        self.w = self.add_weight((query_shape[-1], self.units), name="w")
        self.u = self.add_weight((keys_shape[-1], self.units), name="u")
        self.v = self.add_weight((self.units,), name="v")

    def call(self, query, keys, values=None, key_mask=None):
        if values is None:
            values = keys
        single = query.shape.rank == 2
        if single:
            query = query[:, tf.newaxis]
        wq = tf.einsum("bqi,iu->bqu", query, self.w)
        uk = tf.einsum("bki,iu->bku", keys, self.u)
        scores = tf.einsum("bqku,u->bqk", tf.tanh(wq[:, :, None] + uk[:, None]), self.v)
        scores = tf.cast(scores, tf.float32)
        if key_mask is not None:
            scores += -1e9 * tf.cast(~key_mask, tf.float32)[:, None]
        weights = tf.cast(tf.nn.softmax(scores, axis=-1), self.compute_dtype)
        context = weights @ tf.cast(values, self.compute_dtype)
        if single:
            return tf.squeeze(context, 1), tf.squeeze(weights, 1)
        return context, weights

    def get_config(self):
        return {**super().get_config(), "units": self.units}
