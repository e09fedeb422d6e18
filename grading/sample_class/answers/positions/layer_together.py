class PositionedAttention(course.attention.MultiHeadAttention):
    def __init__(self, hidden_dim, num_heads, dropout=0.0, *, positions="rope", scaling=None, **kwargs):
        super().__init__(hidden_dim, num_heads, dropout, **kwargs)
        self.positions = positions
        self.scaling = dict(scaling or {})

    def _position(self, query, key):
        if self.positions == "rope":
            theta, factor = scaled_frequencies(self.hidden_dim // self.num_heads, **self.scaling)
            longest = ops.maximum(ops.shape(query)[2], ops.shape(key)[2])
            cos, sin = rotary_angles(ops.arange(longest), theta)
            query, key = (
                rotate(x, cos[: ops.shape(x)[2]] * factor, sin[: ops.shape(x)[2]] * factor) for x in (query, key)
            )
        return query, key

    def _attend(self, query, key, value, mask):
        bias = 0.0
        if self.positions == "alibi":
            bias = alibi_bias(self.num_heads, ops.shape(query)[2], ops.shape(key)[2])
        return biased_attention(query, key, value, bias, mask)

    def get_config(self):
        return {**super().get_config(), "positions": self.positions, "scaling": self.scaling}
