import keras
from keras import ops


class AdditiveAttention(keras.layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        dtype = self.dtype_policy
        self.query_dense = keras.layers.Dense(units, use_bias=False, name="query", dtype=dtype)
        self.key_dense = keras.layers.Dense(units, use_bias=False, name="key", dtype=dtype)
        self.score_dense = keras.layers.Dense(1, use_bias=False, name="score", dtype=dtype)

    def build(self, query_shape, keys_shape):
        self.query_dense.build(query_shape)
        self.key_dense.build(keys_shape)
        self.score_dense.build((None, None, None, self.units))

    def call(self, query, keys, values=None, key_mask=None):
        values = keys if values is None else values
        expand = ops.ndim(query) == 2
        q = ops.expand_dims(query, 1) if expand else query
        q = ops.expand_dims(self.query_dense(q), 2)
        k = ops.expand_dims(self.key_dense(keys), 1)
        scores = ops.squeeze(self.score_dense(ops.tanh(q + k)), -1)
        scores = ops.cast(scores, "float32")
        if key_mask is not None:
            scores = ops.where(ops.expand_dims(key_mask, 1), scores, ops.full_like(scores, -1e9))
        scores = scores - ops.max(scores, axis=-1, keepdims=True)
        exponentials = ops.exp(scores)
        weights = exponentials / ops.sum(exponentials, axis=-1, keepdims=True)
        weights = ops.cast(weights, self.compute_dtype)
        context = ops.einsum("bqk,bkv->bqv", weights, ops.cast(values, self.compute_dtype))
        if expand:
            context, weights = ops.squeeze(context, 1), ops.squeeze(weights, 1)
        return context, weights

    def get_config(self):
        config = super().get_config()
        config["units"] = self.units
        return config
