from keras import layers


class FeedForward(layers.Layer):
    def __init__(self, hidden_dim, intermediate_dim, approximate_gelu=False, **kwargs):
        super().__init__(**kwargs)
        self.hidden_dim, self.intermediate_dim = hidden_dim, intermediate_dim
        self.approximate_gelu = approximate_gelu
        self.intermediate_dense = layers.Dense(intermediate_dim, dtype=self.dtype_policy, name="widen")
        self.output_dense = layers.Dense(hidden_dim, dtype=self.dtype_policy, name="narrow")

    def build(self, x_shape):
        self.intermediate_dense.build(x_shape)
        self.output_dense.build((*x_shape[:-1], self.intermediate_dim))

    def call(self, x):
        return self.output_dense(gelu(self.intermediate_dense(x), self.approximate_gelu))

    def get_config(self):
        names = ("hidden_dim", "intermediate_dim", "approximate_gelu")
        return {**super().get_config(), **{name: getattr(self, name) for name in names}}
