"""What goes wrong in PositionedAttention."""

from __future__ import annotations

import math
from typing import Any

import keras
import numpy as np
from keras import ops

import course.positions as right
from grading.exercises.positions.checks import layer
from grading.exercises.positions.mistakes.rotation import interleaved, other_way_round


class Variant(right.PositionedAttention):
    """The layer in small steps, one of which a mistake gets wrong."""

    def frequencies(self) -> tuple[Any, float]:
        return right.scaled_frequencies(self.hidden_dim // self.num_heads, **self.scaling)

    def places(self, x: Any) -> Any:
        return ops.arange(ops.shape(x)[2])

    def turn(self, x: Any) -> Any:
        frequencies, attention_factor = self.frequencies()
        cos, sin = right.rotary_angles(self.places(x), frequencies)
        return right.rotate(x, attention_factor * cos, attention_factor * sin)

    def bias(self, query: Any, key: Any) -> Any:
        return right.alibi_bias(self.num_heads, ops.shape(query)[2], ops.shape(key)[2])

    def _position(self, query: Any, key: Any) -> Any:
        return (self.turn(query), self.turn(key)) if self.positions == "rope" else (query, key)

    def _attend(self, query: Any, key: Any, value: Any, mask: Any) -> Any:
        if self.positions != "alibi":
            return super()._attend(query, key, value, mask)
        return right.biased_attention(query, key, value, self.bias(query, key), mask)


@layer.whole_mistake(
    "Only the queries are turned.",
    hint="A query at m and a key at n know their distance when both are turned.",
)
class OnlyQueries(Variant):
    def _position(self, query: Any, key: Any) -> Any:
        return super()._position(query, key)[0], key


@layer.whole_mistake(
    "Only the keys are turned.",
    hint="A query at m and a key at n know their distance when both are turned.",
)
class OnlyKeys(Variant):
    def _position(self, query: Any, key: Any) -> Any:
        return query, super()._position(query, key)[1]


@layer.whole_mistake(
    "The values are turned, too: what is taken from a token depends on where it stands.",
    hint="Positions decide how well a query fits a key. What a token gives is the same everywhere.",
)
class ValuesTurned(Variant):
    def _attend(self, query: Any, key: Any, value: Any, mask: Any) -> Any:
        return super()._attend(query, key, self.turn(value) if self.positions == "rope" else value, mask)


@layer.whole_mistake(
    "Queries and keys are turned before they are split: pairs reach from one head into another.",
    hint="A pair belongs to one head. How wide is what you turn?",
)
class TurnedBeforeSplit(Variant):
    def turn(self, x: Any) -> Any:
        merged = ops.reshape(ops.transpose(x, (0, 2, 1, 3)), (ops.shape(x)[0], 1, ops.shape(x)[2], self.hidden_dim))
        frequencies, factor = right.scaled_frequencies(self.hidden_dim, **self.scaling)
        cos, sin = right.rotary_angles(self.places(x), frequencies)
        turned = right.rotate(merged, factor * cos, factor * sin)
        heads = (ops.shape(x)[0], ops.shape(x)[2], self.num_heads, self.hidden_dim // self.num_heads)
        return ops.transpose(ops.reshape(turned, heads), (0, 2, 1, 3))


@layer.whole_mistake(
    "The frequencies are those of hidden_dim features, cut to the width of a head.",
    hint="Each head has all frequencies, from 1 down. How wide is a head?",
)
class FrequenciesOfTheModel(Variant):
    def frequencies(self) -> Any:
        frequencies, factor = right.scaled_frequencies(self.hidden_dim, **self.scaling)
        return frequencies[: self.hidden_dim // self.num_heads // 2], factor


@layer.whole_mistake(
    "Each head stands at a position, instead of each token.",
    hint="Queries are (batch, heads, length, head_dim). Which axis is the text?",
)
class PositionsOfHeads(Variant):
    def turn(self, x: Any) -> Any:
        frequencies, factor = self.frequencies()
        cos, sin = right.rotary_angles(ops.arange(self.num_heads), frequencies)
        return right.rotate(x, factor * cos[:, None], factor * sin[:, None])


@layer.whole_mistake(
    "The keys of a context get the positions of the queries, as far as these go.",
    hint="A context may be longer than the inputs. Count each by its own length.",
)
class PositionsOfQueries(Variant):
    def _position(self, query: Any, key: Any) -> Any:
        if self.positions != "rope":
            return query, key
        frequencies, factor = self.frequencies()
        places = ops.minimum(ops.arange(ops.shape(key)[2]), ops.shape(query)[2] - 1)
        cos, sin = right.rotary_angles(places, frequencies)
        return self.turn(query), right.rotate(key, factor * cos, factor * sin)


@layer.whole_mistake(
    "Everything is turned the other way round.",
    hint="Published weights expect the turn of `rotate`. Did you change the sign of the sine?",
)
class TurnedBack(Variant):
    def turn(self, x: Any) -> Any:
        return other_way_round(x, *right.rotary_angles(self.places(x), self.frequencies()[0])) * self.frequencies()[1]


@layer.whole_mistake(
    "Queries and keys are turned against each other: the scores know the sum of the positions and not the difference.",
    hint="Shift the text by a few positions. Do the outputs change?",
)
class TurnedApart(Variant):
    def _position(self, query: Any, key: Any) -> Any:
        if self.positions != "rope":
            return query, key
        frequencies, factor = self.frequencies()
        back = other_way_round(key, *right.rotary_angles(self.places(key), frequencies))
        return self.turn(query), back * factor


@layer.whole_mistake(
    "Neighbours are paired instead of halves.",
    hint="`rotate` pairs halves. Use it, or pair as it does.",
)
class Interleaved(Variant):
    def turn(self, x: Any) -> Any:
        return interleaved(x, *right.rotary_angles(self.places(x), self.frequencies()[0])) * self.frequencies()[1]


@layer.whole_mistake(
    "The scaling is ignored: the frequencies are always those of training.",
    hint="self.scaling holds what scaled_frequencies takes after the width.",
)
class ScalingIgnored(Variant):
    def frequencies(self) -> Any:
        return right.scaled_frequencies(self.hidden_dim // self.num_heads)


@layer.whole_mistake(
    "The attention factor is ignored.",
    hint="scaled_frequencies returns two things. Which one is not used?",
)
class AttentionFactorIgnored(Variant):
    def frequencies(self) -> Any:
        return super().frequencies()[0], 1.0


@layer.whole_mistake(
    "Only the queries are multiplied by the attention factor; the keys must be, too.",
    hint="The scores are to get the square of it.",
)
class AttentionFactorOnce(Variant):
    def _position(self, query: Any, key: Any) -> Any:
        query, key = super()._position(query, key)
        return query, key / self.frequencies()[1] if self.positions == "rope" else key


@layer.whole_mistake(
    'With "alibi", queries and keys are turned as well.',
    hint="There are two ways to know positions, and a layer has one of them.",
)
class BothAtOnce(Variant):
    def _position(self, query: Any, key: Any) -> Any:
        return (query, key) if self.positions == "none" else (self.turn(query), self.turn(key))


@layer.whole_mistake(
    'With "none", queries and keys are turned all the same.',
    hint='`self.positions` may be "none". What must happen then?',
)
class AlwaysTurned(Variant):
    def _position(self, query: Any, key: Any) -> Any:
        return (query, key) if self.positions == "alibi" else (self.turn(query), self.turn(key))


@layer.whole_mistake(
    'With "alibi", nothing happens: the bias is never added.',
    hint="Which of the two methods is called with query, key, value and mask?",
)
class NoBias(Variant):
    def bias(self, query: Any, key: Any) -> Any:
        return 0.0


@layer.whole_mistake(
    'With "alibi", the mask is lost.',
    hint="biased_attention takes a mask, as any attention does.",
)
class MaskLostWithBias(Variant):
    def _attend(self, query: Any, key: Any, value: Any, mask: Any) -> Any:
        return super()._attend(query, key, value, None if self.positions == "alibi" else mask)


@layer.whole_mistake(
    "The mask is lost, whatever the positions are.",
    hint="`_attend` is given a mask. Who gets it from there?",
)
class MaskLost(Variant):
    def _attend(self, query: Any, key: Any, value: Any, mask: Any) -> Any:
        return super()._attend(query, key, value, None)


@layer.whole_mistake(
    "The bias is added to the scores before they are divided by √d_k, so that it is divided, too.",
    hint="A slope says what a step costs. Should that depend on the width of the head?",
)
class BiasDivided(Variant):
    def bias(self, query: Any, key: Any) -> Any:
        return super().bias(query, key) / math.sqrt(self.hidden_dim // self.num_heads)


@layer.whole_mistake(
    "The bias is added to the weights, after the softmax.",
    hint="Weights are positive and sum to 1. What is added must be added before.",
)
class BiasAfterSoftmax(Variant):
    def _attend(self, query: Any, key: Any, value: Any, mask: Any) -> Any:
        if self.positions != "alibi":
            return super()._attend(query, key, value, mask)
        _, weights = right.biased_attention(query, key, value, 0.0, mask)
        weights = weights + ops.cast(self.bias(query, key), weights.dtype)
        return ops.matmul(weights, value), weights


@layer.whole_mistake(
    "The bias is that of the heads of the whole model's width: the slopes are counted by features.",
    hint="alibi_bias wants the number of heads, then the two lengths.",
)
class SlopesOfOtherHeads(Variant):
    def bias(self, query: Any, key: Any) -> Any:
        wide = right.alibi_bias(self.hidden_dim, ops.shape(query)[2], ops.shape(key)[2])
        return wide[:, : self.num_heads]


@layer.whole_mistake(
    "The positions are learned: there is a table of weights more.",
    hint="Neither a rotation nor a penalty on distance has anything to learn.",
)
class FrequenciesAsWeights(Variant):
    def build(self, inputs_shape: Any, context_shape: Any = None) -> None:
        super().build(inputs_shape, context_shape)
        pairs = self.hidden_dim // self.num_heads // 2
        self.kept = self.add_weight(
            (pairs,), initializer=keras.initializers.Constant(np.array(self.frequencies()[0])), name="frequencies"
        )
