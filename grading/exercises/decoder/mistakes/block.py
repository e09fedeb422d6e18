"""What goes wrong in DecoderBlock."""

from __future__ import annotations

from typing import Any

from keras import ops

import course.decoder as right
from course.attention import MultiHeadAttention, causal_mask
from course.positions import PositionedAttention
from grading.exercises.decoder.checks import block


class Variant(right.DecoderBlock):
    """The block in small steps, one of which a mistake gets wrong."""

    def seen(self, x: Any, mask: Any) -> Any:
        causal = causal_mask(ops.shape(x)[1])[None, None]
        return causal if mask is None else ops.logical_and(causal, MultiHeadAttention.with_four_axes(mask))

    def written(self, x: Any, mask: Any) -> Any:
        return self.self_attention(x, attention_mask=self.seen(x, mask))

    def read(self, x: Any, context: Any, mask: Any) -> Any:
        return self.cross_attention(x, context=context, attention_mask=mask)

    def parts(self, context: Any, mask: Any, context_mask: Any) -> list:
        found = [(lambda x: self.written(x, mask), self.self_attention_norm)]
        if context is not None:
            found.append((lambda x: self.read(x, context, context_mask), self.cross_attention_norm))
        return [*found, (self.feed_forward, self.feed_forward_norm)]

    def pre(self, x: Any, part: Any, norm: Any) -> Any:
        return x + self.dropout_layer(part(norm(x)))

    def post(self, x: Any, part: Any, norm: Any) -> Any:
        return norm(x + self.dropout_layer(part(x)))

    def call(self, x: Any, context: Any = None, attention_mask: Any = None, context_mask: Any = None) -> Any:
        for part, norm in self.parts(context, attention_mask, context_mask):
            x = self.pre(x, part, norm) if self.norm_first else self.post(x, part, norm)
        return x


@block.whole_mistake(
    "There is no causal mask: words see what comes later.",
    hint="While it learns, the whole text is there at once. Who hides the words that are still to be said?",
)
class NoCausalMask(Variant):
    def seen(self, x: Any, mask: Any) -> Any:
        return mask


@block.whole_mistake(
    "The triangle is the wrong one: words see themselves and what comes later.",
    hint="A row is a query, a column a key. Which side of the diagonal is the past?",
)
class FutureOnly(Variant):
    def seen(self, x: Any, mask: Any) -> Any:
        later = ops.transpose(causal_mask(ops.shape(x)[1]))[None, None]
        return later if mask is None else ops.logical_and(later, MultiHeadAttention.with_four_axes(mask))


@block.whole_mistake(
    "A word does not see itself, only what came before.",
    hint="What stands at a place is known there. It is the next word that is asked for.",
)
class NotItself(Variant):
    def seen(self, x: Any, mask: Any) -> Any:
        places = ops.arange(ops.shape(x)[1])
        before = (places[:, None] > places[None, :])[None, None]
        return before if mask is None else ops.logical_and(before, MultiHeadAttention.with_four_axes(mask))


@block.whole_mistake(
    "Where there is an attention_mask, it replaces the causal mask.",
    hint="A key must be allowed by both.",
)
class MaskInstead(Variant):
    def seen(self, x: Any, mask: Any) -> Any:
        return super().seen(x, None) if mask is None else mask


@block.whole_mistake(
    "attention_mask is ignored.",
    hint="The causal mask hides what comes later. Who hides padding?",
)
class MaskIgnored(Variant):
    def seen(self, x: Any, mask: Any) -> Any:
        return super().seen(x, None)


@block.whole_mistake(
    "The two masks are joined by or: a key is seen if one of them allows it.",
    hint="A key must be allowed by both.",
)
class MasksJoinedByOr(Variant):
    def seen(self, x: Any, mask: Any) -> Any:
        causal = super().seen(x, None)
        return causal if mask is None else ops.logical_or(causal, MultiHeadAttention.with_four_axes(mask))


@block.whole_mistake(
    "context_mask is ignored: padding of what was read is attended to.",
    hint="There are two masks, one for each attention.",
)
class ContextMaskIgnored(Variant):
    def read(self, x: Any, context: Any, mask: Any) -> Any:
        return super().read(x, context, None)


@block.whole_mistake(
    "The attention to what was read is causal, too: the first word sees one word of the other text.",
    hint="What was read is all there. Nothing of it must be hidden but padding.",
)
class CausalContext(Variant):
    def read(self, x: Any, context: Any, mask: Any) -> Any:
        places, keys = ops.arange(ops.shape(x)[1]), ops.arange(ops.shape(context)[1])
        causal = (places[:, None] >= keys[None, :])[None, None]
        return super().read(x, context, causal if mask is None else ops.logical_and(causal, mask))


@block.whole_mistake(
    "The second attention attends to what was written instead of what was read.",
    hint="Queries come from x. Where do keys and values come from?",
)
class ContextIgnored(Variant):
    def build(self, x_shape: tuple, context_shape: tuple | None = None) -> None:
        super().build(x_shape, x_shape if context_shape else None)

    def read(self, x: Any, context: Any, mask: Any) -> Any:
        return self.cross_attention(x, attention_mask=self.seen(x, None))


@block.whole_mistake(
    "The context is normalized by this block's norm, too.",
    hint="Who reads has a last norm of its own. What goes through the norm of this part?",
)
class ContextNormalized(Variant):
    def read(self, x: Any, context: Any, mask: Any) -> Any:
        context = ops.cast(context, "float32")
        mean, variance = ops.mean(context, -1, keepdims=True), ops.var(context, -1, keepdims=True)
        return super().read(x, ops.cast((context - mean) * ops.rsqrt(variance + 1e-12), x.dtype), mask)


@block.whole_mistake(
    "The two attentions change places: it reads before it looks at what was written.",
    hint="In the figure of the paper, which one is at the bottom?",
)
class ReadsFirst(Variant):
    def parts(self, context: Any, mask: Any, context_mask: Any) -> list:
        found = super().parts(context, mask, context_mask)
        return [found[1], found[0], found[2]] if len(found) == 3 else found


@block.whole_mistake(
    "The feed-forward network stands between the two attentions.",
    hint="It is the last part.",
)
class FeedsBetween(Variant):
    def parts(self, context: Any, mask: Any, context_mask: Any) -> list:
        found = super().parts(context, mask, context_mask)
        return [found[0], found[2], found[1]] if len(found) == 3 else found


@block.whole_mistake(
    "The feed-forward network is left out.",
    hint="There are three parts with a context, and two without.",
)
class NoFeedForward(Variant):
    def parts(self, context: Any, mask: Any, context_mask: Any) -> list:
        return super().parts(context, mask, context_mask)[:-1]


@block.whole_mistake(
    "What was read is never looked at.",
    hint="Where is cross_attention called?",
)
class NeverReads(Variant):
    def parts(self, context: Any, mask: Any, context_mask: Any) -> list:
        return super().parts(None, mask, context_mask)


@block.whole_mistake(
    "There is no path around the attention to what was read.",
    hint="Each part changes the words; none replaces them.",
)
class NoPathAroundReading(Variant):
    def call(self, x: Any, context: Any = None, attention_mask: Any = None, context_mask: Any = None) -> Any:
        for part, norm in self.parts(context, attention_mask, context_mask):
            if context is not None and norm is self.cross_attention_norm:
                x = self.dropout_layer(part(norm(x))) if self.norm_first else norm(self.dropout_layer(part(x)))
            else:
                x = self.pre(x, part, norm) if self.norm_first else self.post(x, part, norm)
        return x


@block.whole_mistake(
    "All paths lead around from the block's input, instead of what the part before has given.",
    hint="x + part(x): both x are the same.",
)
class PathsFromTheInput(Variant):
    def call(self, x: Any, context: Any = None, attention_mask: Any = None, context_mask: Any = None) -> Any:
        given = x
        for part, norm in self.parts(context, attention_mask, context_mask):
            if self.norm_first:
                x = given + self.dropout_layer(part(norm(x)))
            else:
                x = norm(given + self.dropout_layer(part(x)))
        return x


@block.whole_mistake(
    "norm_first is ignored: the block is always post-LN.",
    hint="There are two equations. Which one does norm_first choose?",
)
class AlwaysPost(Variant):
    def pre(self, x: Any, part: Any, norm: Any) -> Any:
        return self.post(x, part, norm)


@block.whole_mistake(
    "norm_first is ignored: the block is always pre-LN.",
    hint="There are two equations. Which one does norm_first choose?",
)
class AlwaysPre(Variant):
    def post(self, x: Any, part: Any, norm: Any) -> Any:
        return self.pre(x, part, norm)


@block.whole_mistake(
    "All parts share one norm.",
    hint="Each part has a norm of its own.",
)
class OneNorm(Variant):
    def parts(self, context: Any, mask: Any, context_mask: Any) -> list:
        return [(part, self.self_attention_norm) for part, _ in super().parts(context, mask, context_mask)]


@block.whole_mistake(
    "positions is ignored: neither attention knows any.",
    hint="PositionedAttention takes positions. Which does it get?",
)
class NoPositions(Variant):
    def _attention(self, name: str, kind: str) -> PositionedAttention:
        sizes = (self.hidden_dim, self.num_heads, self.dropout)
        return PositionedAttention(*sizes, positions=kind, name=name, dtype=self.dtype_policy)

    def build(self, x_shape: tuple, context_shape: tuple | None = None) -> None:
        super().build(x_shape, context_shape)
        self.self_attention = self._attention("self_attention", "none")
        self.self_attention.build(x_shape)
        if context_shape is not None:
            self.cross_attention = self._attention("cross_attention", "none")
            self.cross_attention.build(x_shape, context_shape)


@block.whole_mistake(
    "Only the attention to what was written gets the positions.",
    hint="There are two attentions, and both get them.",
)
class PositionsOfTheWrittenOnly(NoPositions):
    def build(self, x_shape: tuple, context_shape: tuple | None = None) -> None:
        super().build(x_shape, context_shape)
        self.self_attention = self._attention("self_attention", self.positions)
        self.self_attention.build(x_shape)


@block.whole_mistake(
    "Nothing is dropped in training.",
    hint="self.dropout_layer stands between a part and the sum.",
)
class NoDropout(Variant):
    def pre(self, x: Any, part: Any, norm: Any) -> Any:
        return x + part(norm(x))

    def post(self, x: Any, part: Any, norm: Any) -> Any:
        return norm(x + part(x))

    def build(self, x_shape: tuple, context_shape: tuple | None = None) -> None:
        dropout, self.dropout = self.dropout, 0.0
        super().build(x_shape, context_shape)
        self.dropout = dropout


@block.whole_mistake(
    "It drops from the sum, and so from the path around the parts.",
    hint="What goes around a part stays whole.",
)
class DropsTheSum(Variant):
    def pre(self, x: Any, part: Any, norm: Any) -> Any:
        return self.dropout_layer(x + part(norm(x)))

    def post(self, x: Any, part: Any, norm: Any) -> Any:
        return norm(self.dropout_layer(x + part(x)))
