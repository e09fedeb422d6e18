"""An EinsumDense of two outputs with a bias."""

import keras


class NextSentenceHead(keras.Layer):
    def build(self, pooled_output_shape):
        self.scores = keras.layers.EinsumDense(
            "bh,hc->bc", output_shape=2, bias_axes="c", name="scores", dtype=self.dtype_policy
        )
        self.scores.build(pooled_output_shape)

    def call(self, pooled_output, training=None):
        return self.scores(pooled_output)
