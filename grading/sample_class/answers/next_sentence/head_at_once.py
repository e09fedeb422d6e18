class NextSentenceHead(keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.scores = keras.layers.Dense(2, dtype=self.dtype_policy)

    def build(self, pooled_output_shape):
        self.scores.build(pooled_output_shape)

    def call(self, pooled_output):
        return self.scores(pooled_output)
