"""`build` computes frequencies and slopes once, as plain arrays; queries and keys are rotated together."""

import course.attention
import numpy as np
from course.positions import alibi_slopes, scaled_frequencies
from keras import ops


class PositionedAttention(course.attention.MultiHeadAttention):
    def __init__(self, hidden_dim, num_heads, dropout=0.0, *, positions="rope", scaling=None, **kwargs):
        super().__init__(hidden_dim, num_heads, dropout, **kwargs)
        self.positions, self.scaling = positions, dict(scaling or {})

    def build(self, inputs_shape, context_shape=None):
        super().build(inputs_shape, context_shape)
        self.theta, self.sharpness = scaled_frequencies(self.hidden_dim // self.num_heads, **self.scaling)
        self.slopes = np.asarray(alibi_slopes(self.num_heads))[None, :, None, None]

    def _position(self, query, key):
        return [self._turn(x) if self.positions == "rope" else x for x in (query, key)]

    def _turn(self, x):
        length = ops.shape(x)[2]
        angle = ops.cast(ops.arange(length), "float32")[:, None] * np.tile(self.theta, 2)
        half = x.shape[-1] // 2
        wide = ops.cast(x, "float32") * float(self.sharpness)
        across = ops.concatenate([-wide[..., half:], wide[..., :half]], axis=-1)
        return ops.cast(wide * ops.cos(angle) + across * ops.sin(angle), x.dtype)

    def _attend(self, query, key, value, mask):
        scale = (self.hidden_dim // self.num_heads) ** -0.5
        scores = ops.cast(ops.einsum("bhqd,bhkd->bhqk", query * scale, key), "float32")
        if self.positions == "alibi":
            i, j = ops.arange(ops.shape(query)[2]), ops.arange(ops.shape(key)[2])
            scores = scores - self.slopes * ops.cast(ops.abs(i[:, None] - j), "float32")
        if mask is not None:
            scores = ops.where(mask, scores, -1e9)
        weights = ops.cast(ops.softmax(scores), value.dtype)
        return ops.einsum("bhqk,bhkd->bhqd", weights, value), weights

    def get_config(self):
        config = super().get_config()
        config.update(positions=self.positions, scaling=self.scaling)
        return config
