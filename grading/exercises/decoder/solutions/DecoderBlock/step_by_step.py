import keras
from keras import ops

from course.attention import causal_mask
from course.encoder import FeedForward, LayerNorm
from course.positions import PositionedAttention


class DecoderBlock(keras.layers.Layer):
    def __init__(
        self, hidden_dim, num_heads, intermediate_dim, dropout=0.1, norm_first=False, *, positions="none", **kwargs
    ):
        super().__init__(**kwargs)
        self.hidden_dim = hidden_dim
        self.num_heads = num_heads
        self.intermediate_dim = intermediate_dim
        self.dropout = dropout
        self.norm_first = norm_first
        self.positions = positions
        self.dropout_layer = keras.layers.Dropout(dropout, dtype=self.dtype_policy)

    def build(self, x_shape, context_shape=None):
        options = {"dtype": self.dtype_policy}
        self.self_attention = PositionedAttention(
            self.hidden_dim, self.num_heads, self.dropout, positions=self.positions, name="self_attention", **options
        )
        self.self_attention_norm = LayerNorm(name="self_attention_norm", **options)
        self.self_attention.build(x_shape)
        self.self_attention_norm.build(x_shape)
        if context_shape:
            self.cross_attention = PositionedAttention(
                self.hidden_dim,
                self.num_heads,
                self.dropout,
                positions=self.positions,
                name="cross_attention",
                **options,
            )
            self.cross_attention_norm = LayerNorm(name="cross_attention_norm", **options)
            self.cross_attention.build(x_shape, context_shape)
            self.cross_attention_norm.build(x_shape)
        self.feed_forward = FeedForward(self.hidden_dim, self.intermediate_dim, name="feed_forward", **options)
        self.feed_forward_norm = LayerNorm(name="feed_forward_norm", **options)
        self.feed_forward.build(x_shape)
        self.feed_forward_norm.build(x_shape)

    def call(self, x, context=None, attention_mask=None, context_mask=None):
        mask = causal_mask(ops.shape(x)[1])
        if attention_mask is not None:
            if len(attention_mask.shape) == 3:
                attention_mask = attention_mask[:, None]
            mask = mask & attention_mask
        if self.norm_first:
            x = x + self.dropout_layer(self.self_attention(self.self_attention_norm(x), attention_mask=mask))
            if context is not None:
                h = self.cross_attention_norm(x)
                x = x + self.dropout_layer(self.cross_attention(h, context, attention_mask=context_mask))
            return x + self.dropout_layer(self.feed_forward(self.feed_forward_norm(x)))
        x = self.self_attention_norm(x + self.dropout_layer(self.self_attention(x, attention_mask=mask)))
        if context is not None:
            h = self.cross_attention(x, context, attention_mask=context_mask)
            x = self.cross_attention_norm(x + self.dropout_layer(h))
        return self.feed_forward_norm(x + self.dropout_layer(self.feed_forward(x)))

    def get_config(self):
        names = ("hidden_dim", "num_heads", "intermediate_dim", "dropout", "norm_first", "positions")
        return {**super().get_config(), **{name: getattr(self, name) for name in names}}
