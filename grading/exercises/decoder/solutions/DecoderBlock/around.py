import keras
from keras import ops

from course.attention import MultiHeadAttention, causal_mask
from course.encoder import FeedForward, LayerNorm
from course.positions import PositionedAttention


class DecoderBlock(keras.layers.Layer):
    """One function computes the residual path around a part, for both orders."""

    def __init__(
        self, hidden_dim, num_heads, intermediate_dim, dropout=0.1, norm_first=False, *, positions="none", **kwargs
    ):
        super().__init__(**kwargs)
        self.sizes = (hidden_dim, num_heads, intermediate_dim, dropout, norm_first)
        self.positions = positions
        self.dropout_layer = keras.layers.Dropout(dropout, dtype=self.dtype_policy)

    def build(self, x_shape, context_shape=None):
        hidden_dim, num_heads, intermediate_dim, dropout, _ = self.sizes
        kinds = {"dtype": self.dtype_policy}
        self.self_attention = PositionedAttention(
            hidden_dim, num_heads, dropout, positions=self.positions, name="self_attention", **kinds
        )
        self.feed_forward = FeedForward(hidden_dim, intermediate_dim, name="feed_forward", **kinds)
        parts = [(self.self_attention, (x_shape,)), (self.feed_forward, (x_shape,))]
        if context_shape is not None:
            if self.positions == "none":
                self.cross_attention = MultiHeadAttention(
                    hidden_dim, num_heads, dropout, name="cross_attention", **kinds
                )
            else:
                self.cross_attention = PositionedAttention(
                    hidden_dim, num_heads, dropout, positions=self.positions, name="cross_attention", **kinds
                )
            parts.insert(1, (self.cross_attention, (x_shape, context_shape)))
        self.norms = []
        for part, shapes in parts:
            part.build(*shapes)
            norm = LayerNorm(name=f"{part.name}_norm", **kinds)
            norm.build(x_shape)
            self.norms.append(norm)

    def around(self, x, part, norm):
        if self.sizes[-1]:
            return x + self.dropout_layer(part(norm(x)))
        return norm(x + self.dropout_layer(part(x)))

    def call(self, x, context=None, attention_mask=None, context_mask=None):
        seen = causal_mask(ops.shape(x)[1])[None, None]
        given = MultiHeadAttention.with_four_axes(attention_mask)
        if given is not None:
            seen = ops.logical_and(seen, given)
        x = self.around(x, lambda h: self.self_attention(h, attention_mask=seen), self.norms[0])
        if context is not None:
            x = self.around(x, lambda h: self.cross_attention(h, context, context_mask), self.norms[1])
        return self.around(x, self.feed_forward, self.norms[-1])

    def get_config(self):
        names = ("hidden_dim", "num_heads", "intermediate_dim", "dropout", "norm_first")
        return {**super().get_config(), **dict(zip(names, self.sizes)), "positions": self.positions}
