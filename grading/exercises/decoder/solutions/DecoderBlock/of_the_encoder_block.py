import keras
from keras import ops

from course.encoder import EncoderBlock, FeedForward, LayerNorm
from course.attention import causal_mask
from course.positions import PositionedAttention


class DecoderBlock(EncoderBlock):
    """Chapter 4's block, with the same arguments but another `build` and `call`."""

    def __init__(
        self, hidden_dim, num_heads, intermediate_dim, dropout=0.1, norm_first=False, *, positions="none", **kwargs
    ):
        super().__init__(hidden_dim, num_heads, intermediate_dim, dropout, norm_first, **kwargs)
        self.positions = positions

    def build(self, x_shape, context_shape=None):
        def made(layer, *shapes):
            layer.build(*shapes)
            return layer

        def attention(name):
            return PositionedAttention(
                self.hidden_dim,
                self.num_heads,
                self.attention_dropout,
                positions=self.positions,
                name=name,
                dtype=self.dtype_policy,
            )

        def norm(name):
            return made(LayerNorm(self.epsilon, name=name, dtype=self.dtype_policy), x_shape)

        self.self_attention = made(attention("self_attention"), x_shape)
        self.self_attention_norm = norm("self_attention_norm")
        if context_shape is not None:
            self.cross_attention = made(attention("cross_attention"), x_shape, context_shape)
            self.cross_attention_norm = norm("cross_attention_norm")
        self.feed_forward = made(
            FeedForward(self.hidden_dim, self.intermediate_dim, name="feed_forward", dtype=self.dtype_policy), x_shape
        )
        self.feed_forward_norm = norm("feed_forward_norm")

    def call(self, x, context=None, attention_mask=None, context_mask=None):
        mask = causal_mask(ops.shape(x)[1])[None, None]
        if attention_mask is not None:
            mask = mask & self.self_attention.with_four_axes(attention_mask)
        before = lambda norm, x: norm(x) if self.norm_first else x
        after = lambda norm, x: x if self.norm_first else norm(x)
        h = self.self_attention(before(self.self_attention_norm, x), attention_mask=mask)
        x = after(self.self_attention_norm, x + self.dropout_layer(h))
        if context is not None:
            h = self.cross_attention(before(self.cross_attention_norm, x), context=context, attention_mask=context_mask)
            x = after(self.cross_attention_norm, x + self.dropout_layer(h))
        h = self.feed_forward(before(self.feed_forward_norm, x))
        return after(self.feed_forward_norm, x + self.dropout_layer(h))

    def get_config(self):
        config = keras.layers.Layer.get_config(self)
        for name in ("hidden_dim", "num_heads", "intermediate_dim", "dropout", "norm_first", "positions"):
            config[name] = getattr(self, name)
        return config
