"""What goes wrong in AdditiveAttention."""

from __future__ import annotations

import math
from typing import Any

import keras
from keras import ops

import course.decoder as right
from grading.exercises.decoder.checks import additive


class Variant(right.AdditiveAttention):
    """The layer in small steps, one of which a mistake gets wrong."""

    def projected_query(self, query: Any) -> Any:
        return self.query_dense(query)

    def projected_keys(self, keys: Any) -> Any:
        return self.key_dense(keys)

    def hidden(self, query: Any, keys: Any) -> Any:
        return ops.tanh(self.projected_query(query)[:, :, None] + self.projected_keys(keys)[:, None])

    def scores(self, query: Any, keys: Any) -> Any:
        return self.score_dense(self.hidden(query, keys))[..., 0]

    def masked(self, scores: Any, mask: Any) -> Any:
        return scores if mask is None else ops.where(mask[:, None, :], scores, -1e9)

    def weigh(self, scores: Any) -> Any:
        return ops.softmax(scores, axis=-1)

    def weights_of(self, query: Any, keys: Any, mask: Any) -> Any:
        return self.weigh(self.masked(ops.cast(self.scores(query, keys), "float32"), mask))

    def mean(self, weights: Any, keys: Any, values: Any) -> Any:
        return ops.matmul(weights, ops.cast(values, weights.dtype))

    def call(self, query: Any, keys: Any, values: Any = None, key_mask: Any = None) -> Any:
        values = keys if values is None else values
        is_single = len(query.shape) == 2
        query = query[:, None] if is_single else query
        weights = ops.cast(self.weights_of(query, keys, key_mask), self.compute_dtype)
        context = self.mean(weights, keys, values)
        return (context[:, 0], weights[:, 0]) if is_single else (context, weights)


@additive.whole_mistake(
    "There is no tanh: the scores are a plain sum.",
    hint="Without it, what a query adds is the same for all keys. What happens to it in the softmax?",
)
class NoTanh(Variant):
    def hidden(self, query: Any, keys: Any) -> Any:
        return self.projected_query(query)[:, :, None] + self.projected_keys(keys)[:, None]


@additive.whole_mistake(
    "tanh is taken of the score, after v; it belongs before v.",
    hint="score = vᵀ tanh(...). Which comes first?",
)
class TanhOfTheScore(Variant):
    def scores(self, query: Any, keys: Any) -> Any:
        plain = self.projected_query(query)[:, :, None] + self.projected_keys(keys)[:, None]
        return ops.tanh(self.score_dense(plain)[..., 0])


@additive.whole_mistake(
    "tanh is taken of each projection by itself, and then they are added.",
    hint="tanh is of the sum. tanh(a) + tanh(b) is something else.",
)
class TanhBeforeTheSum(Variant):
    def hidden(self, query: Any, keys: Any) -> Any:
        return ops.tanh(self.projected_query(query))[:, :, None] + ops.tanh(self.projected_keys(keys))[:, None]


@additive.whole_mistake(
    "ReLU is used instead of tanh.",
    hint="Which function does the equation name?",
)
class Relu(Variant):
    def hidden(self, query: Any, keys: Any) -> Any:
        return ops.relu(self.projected_query(query)[:, :, None] + self.projected_keys(keys)[:, None])


@additive.whole_mistake(
    "The softmax runs over the queries instead of the keys.",
    hint="The weights of one query sum to 1. Which axis is the keys'?",
)
class SoftmaxOverQueries(Variant):
    def weigh(self, scores: Any) -> Any:
        return ops.softmax(scores, axis=1)


@additive.whole_mistake(
    "The scores are used as weights, without a softmax.",
    hint="Weights are positive and sum to 1 over the keys.",
)
class NoSoftmax(Variant):
    def weigh(self, scores: Any) -> Any:
        return scores


@additive.whole_mistake(
    "The scores are divided by √units. Only the dot product needs that.",
    hint="The equation has no root. tanh keeps its numbers small by itself.",
)
class Divided(Variant):
    def scores(self, query: Any, keys: Any) -> Any:
        return super().scores(query, keys) / math.sqrt(self.units)


@additive.whole_mistake(
    "The projections are multiplied instead of added.",
    hint="The attention of this exercise is called additive.",
)
class Multiplied(Variant):
    def hidden(self, query: Any, keys: Any) -> Any:
        return ops.tanh(self.projected_query(query)[:, :, None] * self.projected_keys(keys)[:, None])


@additive.whole_mistake(
    "The score is the sum over the features, without v.",
    hint="v says how much each feature counts. Which layer holds it?",
)
class NoV(Variant):
    def scores(self, query: Any, keys: Any) -> Any:
        return ops.sum(self.hidden(query, keys), axis=-1)


@additive.whole_mistake(
    "The projections have a bias each; the equation has none.",
    hint="Which argument of Dense leaves the bias out?",
)
class WithBias(Variant):
    def build(self, query_shape: tuple, keys_shape: tuple) -> None:
        self.query_dense = keras.layers.Dense(self.units, name="query", dtype=self.dtype_policy)
        self.key_dense = keras.layers.Dense(self.units, name="key", dtype=self.dtype_policy)
        self.score_dense = keras.layers.Dense(1, name="score", dtype=self.dtype_policy)
        self.query_dense.build(query_shape)
        self.key_dense.build(keys_shape)
        self.score_dense.build((*keys_shape[:-1], self.units))


@additive.whole_mistake(
    "The mean is taken of the keys, although there are values.",
    hint="Keys say how well something fits. What is taken then?",
)
class MeanOfKeys(Variant):
    def mean(self, weights: Any, keys: Any, values: Any) -> Any:
        return super().mean(weights, keys, keys)


@additive.whole_mistake(
    "The mean is taken of the projected keys instead of the values.",
    hint="U k serves the score alone.",
)
class MeanOfProjectedKeys(Variant):
    def mean(self, weights: Any, keys: Any, values: Any) -> Any:
        return super().mean(weights, keys, self.projected_keys(keys))


@additive.whole_mistake(
    "The mask is ignored.",
    hint="Padding is a key like any other, unless something forbids it.",
)
class MaskIgnored(Variant):
    def masked(self, scores: Any, mask: Any) -> Any:
        return scores


@additive.whole_mistake(
    "The mask is read the wrong way round: what is allowed gets no weight.",
    hint="True means that a key may be looked at.",
)
class MaskInverted(Variant):
    def masked(self, scores: Any, mask: Any) -> Any:
        return scores if mask is None else ops.where(mask[:, None, :], -1e9, scores)


@additive.whole_mistake(
    "The mask is applied after the softmax, and the weights that are left do not sum to 1.",
    hint="What is forbidden must be out before the softmax shares out the weights.",
)
class MaskedAfterSoftmax(Variant):
    def weights_of(self, query: Any, keys: Any, mask: Any) -> Any:
        weights = self.weigh(ops.cast(self.scores(query, keys), "float32"))
        return weights if mask is None else ops.where(mask[:, None, :], weights, 0.0)


@additive.whole_mistake(
    "The scores of forbidden keys become 0 instead of very small; they still get a weight.",
    hint="What does a softmax give for a score of 0?",
)
class MaskedByZero(Variant):
    def masked(self, scores: Any, mask: Any) -> Any:
        return scores if mask is None else ops.where(mask[:, None, :], scores, 0.0)


@additive.whole_mistake(
    "Forbidden scores are -infinity: a text without an allowed key gives NaN.",
    hint="Take a number that is very small, and finite.",
)
class MinusInfinity(Variant):
    def masked(self, scores: Any, mask: Any) -> Any:
        return scores if mask is None else ops.where(mask[:, None, :], scores, -math.inf)


@additive.whole_mistake(
    "One query for each text gives an axis too many: an axis of 1 is left.",
    hint="For (batch, width), the context is (batch, value_width), and the weights are (batch, key_length).",
)
class AxisLeft(Variant):
    def call(self, query: Any, keys: Any, values: Any = None, key_mask: Any = None) -> Any:
        return super().call(query[:, None] if len(query.shape) == 2 else query, keys, values, key_mask)
