class AdditiveAttention(keras.layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def build(self, query_shape, keys_shape):
        self.w = self.add_weight((query_shape[-1], self.units), name="w")
        self.u = self.add_weight((keys_shape[-1], self.units), name="u")
        self.v = self.add_weight((self.units, 1), name="v")

    def call(self, query, keys, values=None, key_mask=None):
        values = keys if values is None else values
        q = ops.matmul(query if len(query.shape) == 3 else query[:, None], self.w)
        hidden = ops.tanh(q[:, :, None] + ops.matmul(keys, self.u)[:, None])
        scores = ops.cast(ops.einsum("bqku,ux->bqk", hidden, self.v), "float32")
        if key_mask is not None:
            scores = scores - 1e9 * (1 - ops.cast(key_mask, "float32"))[:, None]
        weights = ops.cast(ops.softmax(scores), self.compute_dtype)
        context = ops.einsum("bqk,bkv->bqv", weights, ops.cast(values, self.compute_dtype))
        return (context, weights) if len(query.shape) == 3 else (context[:, 0], weights[:, 0])

    def get_config(self):
        return {**super().get_config(), "units": self.units}
