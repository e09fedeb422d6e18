"""The two methods as in the lesson, with the functions of the earlier exercises."""

import course.attention
from course.positions import alibi_bias, biased_attention, rotary_angles, rotate, scaled_frequencies
from keras import ops


class PositionedAttention(course.attention.MultiHeadAttention):
    def __init__(self, hidden_dim, num_heads, dropout=0.0, *, positions="rope", scaling=None, **kwargs):
        super().__init__(hidden_dim, num_heads, dropout, **kwargs)
        self.positions = positions
        self.scaling = dict(scaling or {})

    def _position(self, query, key):
        if self.positions == "rope":
            freq, factor = scaled_frequencies(self.hidden_dim // self.num_heads, **self.scaling)
            cos_q, sin_q = rotary_angles(ops.arange(ops.shape(query)[-2]), freq)
            cos_k, sin_k = rotary_angles(ops.arange(ops.shape(key)[-2]), freq)
            query = rotate(query, cos_q, sin_q) * factor
            key = rotate(key, cos_k, sin_k) * factor
        return query, key

    def _attend(self, query, key, value, mask):
        if self.positions == "alibi":
            bias = alibi_bias(self.num_heads, ops.shape(query)[-2], ops.shape(key)[-2])
            return biased_attention(query, key, value, bias, mask=mask)
        return biased_attention(query, key, value, 0.0, mask=mask)

    def get_config(self):
        return super().get_config() | {"positions": self.positions, "scaling": self.scaling}
