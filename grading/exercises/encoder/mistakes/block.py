"""What goes wrong in EncoderBlock."""

from __future__ import annotations

from typing import Any

import keras

import course.encoder as right
from course.attention import MultiHeadAttention
from grading.exercises.encoder.checks import block


class Variant(right.EncoderBlock):
    """The block in steps, one of which a mistake gets wrong."""

    def attention_options(self) -> dict[str, Any]:
        return {"dropout": self.attention_dropout}

    def build(self, x_shape: tuple) -> None:
        dtype, approximate = self.dtype_policy, self.feed_forward_approximates()
        options = {**self.attention_options(), "name": "attention", "dtype": dtype}
        self.attention = MultiHeadAttention(self.hidden_dim, self.num_heads, **options)
        self.feed_forward = right.FeedForward(
            self.hidden_dim, self.intermediate_dim, approximate, name="feed_forward", dtype=dtype
        )
        self.attention_norm = right.LayerNorm(self.norm_epsilon(), name="attention_norm", dtype=dtype)
        self.feed_forward_norm = right.LayerNorm(self.norm_epsilon(), name="feed_forward_norm", dtype=dtype)
        for part in (self.attention, self.feed_forward, self.attention_norm, self.feed_forward_norm):
            part.build(x_shape)

    def feed_forward_approximates(self) -> bool:
        return self.approximate_gelu

    def norm_epsilon(self) -> float:
        return self.epsilon

    def attend(self, x: Any, mask: Any) -> Any:
        return self.attention(x, attention_mask=mask)

    def feed(self, x: Any) -> Any:
        return self.feed_forward(x)

    def drop(self, part: Any) -> Any:
        return self.dropout_layer(part)

    def join_attention(self, x: Any, part: Any) -> Any:
        return x + self.drop(part)

    def join_feed_forward(self, x: Any, part: Any) -> Any:
        return x + self.drop(part)

    def post_norm(self, x: Any, mask: Any) -> Any:
        x = self.attention_norm(self.join_attention(x, self.attend(x, mask)))
        return self.feed_forward_norm(self.join_feed_forward(x, self.feed(x)))

    def pre_norm(self, x: Any, mask: Any) -> Any:
        x = self.join_attention(x, self.attend(self.attention_norm(x), mask))
        return self.join_feed_forward(x, self.feed(self.feed_forward_norm(x)))

    def call(self, x: Any, attention_mask: Any = None) -> Any:
        return self.pre_norm(x, attention_mask) if self.norm_first else self.post_norm(x, attention_mask)


@block.whole_mistake(
    "There is no path around the parts: neither sum has what went in.",
    hint="Each part changes the tokens; it does not replace them. What is x added to?",
)
class NoResiduals(Variant):
    def join_attention(self, x: Any, part: Any) -> Any:
        return self.drop(part)

    def join_feed_forward(self, x: Any, part: Any) -> Any:
        return self.drop(part)


@block.whole_mistake(
    "There is no path around attention.",
    hint="The block has two sums. One of them has only one term.",
)
class NoAttentionResidual(Variant):
    def join_attention(self, x: Any, part: Any) -> Any:
        return self.drop(part)


@block.whole_mistake(
    "There is no path around the feed-forward network.",
    hint="The block has two sums. One of them has only one term.",
)
class NoFeedForwardResidual(Variant):
    def join_feed_forward(self, x: Any, part: Any) -> Any:
        return self.drop(part)


@block.whole_mistake(
    "norm_first is ignored: the block is always post-LN.",
    hint="There are two pairs of equations. Which one does norm_first choose?",
)
class AlwaysPostNorm(Variant):
    def pre_norm(self, x: Any, mask: Any) -> Any:
        return self.post_norm(x, mask)


@block.whole_mistake(
    "norm_first is ignored: the block is always pre-LN.",
    hint="BERT normalizes the sum. There are two pairs of equations.",
)
class AlwaysPreNorm(Variant):
    def post_norm(self, x: Any, mask: Any) -> Any:
        return self.pre_norm(x, mask)


@block.whole_mistake(
    "Pre-LN and post-LN are exchanged.",
    hint="With norm_first, what goes into a part is normalized first.",
)
class OrdersExchanged(Variant):
    def call(self, x: Any, attention_mask: Any = None) -> Any:
        return self.post_norm(x, attention_mask) if self.norm_first else self.pre_norm(x, attention_mask)


@block.whole_mistake(
    "In post-LN, what a part gives is normalized before x is added, instead of the sum.",
    hint="In norm_1(...), where is the bracket closed?",
)
class NormBeforeSum(Variant):
    def post_norm(self, x: Any, mask: Any) -> Any:
        x = x + self.attention_norm(self.drop(self.attend(x, mask)))
        return x + self.feed_forward_norm(self.drop(self.feed(x)))


@block.whole_mistake(
    "In post-LN, the sum after attention is not normalized.",
    hint="The block has two norms. Count where you use them.",
)
class NoFirstNorm(Variant):
    def post_norm(self, x: Any, mask: Any) -> Any:
        x = self.join_attention(x, self.attend(x, mask))
        return self.feed_forward_norm(self.join_feed_forward(x, self.feed(x)))


@block.whole_mistake(
    "In post-LN, the sum after the feed-forward network is not normalized.",
    hint="The block has two norms. Count where you use them.",
)
class NoSecondNorm(Variant):
    def post_norm(self, x: Any, mask: Any) -> Any:
        x = self.attention_norm(self.join_attention(x, self.attend(x, mask)))
        return self.join_feed_forward(x, self.feed(x))


@block.whole_mistake(
    "One normalization serves both parts; each has its own.",
    hint="norm_1 and norm_2 have weights of their own. Which one is never used?",
)
class OneNorm(Variant):
    def post_norm(self, x: Any, mask: Any) -> Any:
        x = self.attention_norm(self.join_attention(x, self.attend(x, mask)))
        return self.attention_norm(self.join_feed_forward(x, self.feed(x)))

    def pre_norm(self, x: Any, mask: Any) -> Any:
        x = self.join_attention(x, self.attend(self.attention_norm(x), mask))
        return self.join_feed_forward(x, self.feed(self.attention_norm(x)))


@block.whole_mistake(
    "The feed-forward network gets what came into the block, and not what attention made of it.",
    hint="The second equation begins where the first one ends.",
)
class PartsInParallel(Variant):
    def post_norm(self, x: Any, mask: Any) -> Any:
        attended = self.attention_norm(self.join_attention(x, self.attend(x, mask)))
        return self.feed_forward_norm(self.join_feed_forward(attended, self.feed(x)))

    def pre_norm(self, x: Any, mask: Any) -> Any:
        attended = self.join_attention(x, self.attend(self.attention_norm(x), mask))
        return self.join_feed_forward(attended, self.feed(self.feed_forward_norm(x)))


@block.whole_mistake(
    "The second path around starts at the block's input instead of after attention.",
    hint="In the second equation, which x is added to feed_forward(x)?",
)
class SecondPathFromInput(Variant):
    def post_norm(self, x: Any, mask: Any) -> Any:
        attended = self.attention_norm(self.join_attention(x, self.attend(x, mask)))
        return self.feed_forward_norm(self.join_feed_forward(x, self.feed(attended)))

    def pre_norm(self, x: Any, mask: Any) -> Any:
        attended = self.join_attention(x, self.attend(self.attention_norm(x), mask))
        return self.join_feed_forward(x, self.feed(self.feed_forward_norm(attended)))


@block.whole_mistake(
    "In pre-LN, the normalized x goes around the part, and not x itself.",
    hint="With norm_first, the path around stays free: no norm stands on it.",
)
class NormOnThePath(Variant):
    def pre_norm(self, x: Any, mask: Any) -> Any:
        x = self.attention_norm(x)
        x = self.feed_forward_norm(self.join_attention(x, self.attend(x, mask)))
        return self.join_feed_forward(x, self.feed(x))


@block.whole_mistake(
    "In pre-LN, what goes into the feed-forward network is not normalized.",
    hint="With norm_first, both parts get normalized tokens.",
)
class PreNormOnceOnly(Variant):
    def pre_norm(self, x: Any, mask: Any) -> Any:
        x = self.join_attention(x, self.attend(self.attention_norm(x), mask))
        return self.join_feed_forward(x, self.feed(x))


@block.whole_mistake(
    "In pre-LN, the block's output is normalized once more.",
    hint="A pre-LN block ends in a sum. Only the whole stack may end in a norm.",
)
class PreNormAndPostNorm(Variant):
    def pre_norm(self, x: Any, mask: Any) -> Any:
        return self.feed_forward_norm(super().pre_norm(x, mask))


@block.whole_mistake(
    "The mask does not reach attention.",
    hint="attention_mask has to be passed on by its name; the second argument of attention is the context.",
)
class MaskIgnored(Variant):
    def attend(self, x: Any, mask: Any) -> Any:
        return self.attention(x)


@block.whole_mistake(
    "The feed-forward network is left out.",
    hint="A block has two parts.",
)
class NoFeedForward(Variant):
    def feed(self, x: Any) -> Any:
        return 0 * x


@block.whole_mistake(
    "Attention is left out: no token learns of another.",
    hint="A block has two parts.",
)
class NoAttention(Variant):
    def attend(self, x: Any, mask: Any) -> Any:
        return 0 * x


@block.whole_mistake(
    "Epsilon does not reach the norms.",
    hint="LayerNorm has an argument. Its default is not always what the block was given.",
)
class EpsilonForgotten(Variant):
    def norm_epsilon(self) -> float:
        return 1e-12


@block.whole_mistake(
    "approximate_gelu does not reach the feed-forward network.",
    hint="FeedForward has a third argument.",
)
class ApproximationForgotten(Variant):
    def feed_forward_approximates(self) -> bool:
        return False


@block.whole_mistake(
    "What the parts give is never dropped.",
    hint="What becomes of self.dropout_layer in your call?",
)
class NeverDropping(Variant):
    def drop(self, part: Any) -> Any:
        return part


@block.whole_mistake(
    "Only attention's output is dropped, and not the feed-forward network's.",
    hint="dropout stands in both equations.",
)
class FeedForwardNotDropped(Variant):
    def join_feed_forward(self, x: Any, part: Any) -> Any:
        return x + part


@block.whole_mistake(
    "Only the feed-forward network's output is dropped, and not attention's.",
    hint="dropout stands in both equations.",
)
class AttentionNotDropped(Variant):
    def join_attention(self, x: Any, part: Any) -> Any:
        return x + part


@block.whole_mistake(
    "Dropout is always on.",
    hint="self.dropout_layer knows by itself whether it is in training.",
)
class AlwaysDropping(Variant):
    def drop(self, part: Any) -> Any:
        return self.dropout_layer(part, training=True)


@block.whole_mistake(
    "The whole sum is dropped from, and so is the path around.",
    hint="In x + dropout(...), what stands inside the brackets?",
)
class SumDropped(Variant):
    def join_attention(self, x: Any, part: Any) -> Any:
        return self.drop(x + part)

    def join_feed_forward(self, x: Any, part: Any) -> Any:
        return self.drop(x + part)


@block.whole_mistake(
    "attention_dropout does not reach attention.",
    hint="MultiHeadAttention has a third argument, 0 unless it is told otherwise.",
)
class AttentionDropoutForgotten(Variant):
    def attention_options(self) -> dict[str, Any]:
        return {}


@block.whole_mistake(
    "The parts are not where the docstring of `build` says, so later cells cannot put published weights there.",
    hint="Compare each name behind `self.` in `build` with the docstring, letter by letter. Does each part have its "
    "weights when `build` is done, before any call?",
)
class OtherNames(keras.layers.Layer):
    def __init__(self, *sizes: Any, **options: Any) -> None:
        super().__init__(name=options.pop("name", None), dtype=options.pop("dtype", None))
        self.sizes, self.options = sizes, options

    def build(self, x_shape: tuple) -> None:
        self.inner = right.EncoderBlock(*self.sizes, **self.options, name="inner", dtype=self.dtype_policy)
        self.inner.build(x_shape)

    def call(self, x: Any, attention_mask: Any = None) -> Any:
        return self.inner(x, attention_mask=attention_mask)

    def get_config(self) -> dict[str, Any]:
        return self.inner.get_config()
