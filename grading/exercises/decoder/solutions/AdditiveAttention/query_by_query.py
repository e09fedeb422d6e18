import keras
from keras import ops


class AdditiveAttention(keras.layers.Layer):
    """Maps a function for one query over the queries."""

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def build(self, query_shape, keys_shape):
        self.W = keras.layers.Dense(self.units, use_bias=False, dtype=self.dtype_policy)
        self.U = keras.layers.Dense(self.units, use_bias=False, dtype=self.dtype_policy)
        self.v = keras.layers.Dense(1, use_bias=False, dtype=self.dtype_policy)
        self.W.build(query_shape)
        self.U.build(keys_shape)
        self.v.build((None, None, self.units))

    def one(self, query, keys, values, key_mask):
        scores = self.v(ops.tanh(self.W(query)[:, None, :] + self.U(keys)))[:, :, 0]
        scores = ops.cast(scores, "float32")
        if key_mask is not None:
            scores = ops.where(key_mask, scores, -3e38)
        weights = ops.cast(ops.softmax(scores), self.compute_dtype)
        return ops.sum(weights[:, :, None] * ops.cast(values, self.compute_dtype), axis=1), weights

    def call(self, query, keys, values=None, key_mask=None):
        values = keys if values is None else values
        if len(query.shape) == 2:
            return self.one(query, keys, values, key_mask)
        context, weights = ops.map(lambda q: self.one(q, keys, values, key_mask), ops.swapaxes(query, 0, 1))
        return ops.swapaxes(context, 0, 1), ops.swapaxes(weights, 0, 1)

    def get_config(self):
        return {**super().get_config(), "units": self.units}
