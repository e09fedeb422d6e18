"""No token is rotated: each score uses the rotation of its distance, as the paper derives it."""

import course.attention
from course.positions import alibi_bias, scaled_frequencies
from keras import ops


class PositionedAttention(course.attention.MultiHeadAttention):
    def __init__(self, hidden_dim, num_heads, dropout=0.0, *, positions="rope", scaling=None, **kwargs):
        super().__init__(hidden_dim, num_heads, dropout, **kwargs)
        self.positions = positions
        self.scaling = {} if scaling is None else scaling

    def _position(self, query, key):
        return query, key

    def _attend(self, query, key, value, mask):
        head_dim = self.hidden_dim // self.num_heads
        q, k = (ops.cast(x, "float32") for x in (query, key))
        queries, keys = ops.shape(q)[2], ops.shape(k)[2]
        if self.positions == "rope":
            theta, factor = scaled_frequencies(head_dim, **self.scaling)
            distance = ops.cast(ops.arange(queries)[:, None] - ops.arange(keys)[None], "float32")
            turn = distance[..., None] * theta
            (a, b), (c, d) = ops.split(q, 2, axis=-1), ops.split(k, 2, axis=-1)
            along = ops.einsum("bhqf,bhkf,qkf->bhqk", a, c, ops.cos(turn))
            along += ops.einsum("bhqf,bhkf,qkf->bhqk", b, d, ops.cos(turn))
            across = ops.einsum("bhqf,bhkf,qkf->bhqk", a, d, ops.sin(turn))
            across -= ops.einsum("bhqf,bhkf,qkf->bhqk", b, c, ops.sin(turn))
            scores = (along + across) * factor**2
        else:
            scores = ops.matmul(q, ops.swapaxes(k, -1, -2))
        scores = scores / head_dim**0.5
        if self.positions == "alibi":
            scores = scores + alibi_bias(self.num_heads, queries, keys)
        if mask is not None:
            scores = ops.where(mask, scores, -1e9)
        weights = ops.cast(ops.softmax(scores), value.dtype)
        return ops.matmul(weights, value), weights

    def get_config(self):
        return {**super().get_config(), "positions": self.positions, "scaling": self.scaling}
