"""What goes wrong in TermGating."""

from __future__ import annotations

from typing import Any

from keras import ops

import course.ranking as right
from grading.exercises.ranking.checks import gating


class Variant(right.TermGating):
    """The gate in two steps, one of which a mistake gets wrong."""

    def logits(self, vectors: Any) -> Any:
        return ops.cast(ops.sum(vectors * self.kernel, axis=-1), "float32")

    def weights_of(self, logits: Any, query_mask: Any) -> Any:
        return ops.where(query_mask, ops.softmax(ops.where(query_mask, logits, -1e9), axis=-1), 0.0)

    def call(self, vectors: Any, query_mask: Any) -> Any:
        return self.weights_of(self.logits(vectors), query_mask)


@gating.whole_mistake(
    "The softmax goes over padding, too: real words share what is theirs with it.",
    hint="Sum the weights of the real words. What is missing?",
)
class PaddingCompetes(Variant):
    def weights_of(self, logits: Any, query_mask: Any) -> Any:
        return ops.where(query_mask, ops.softmax(logits, axis=-1), 0.0)


@gating.whole_mistake(
    "`query_mask` is not used: padding gets weights.",
    hint="What does a word weigh that is not there?",
)
class MaskForgotten(Variant):
    def weights_of(self, logits: Any, query_mask: Any) -> Any:
        return ops.softmax(logits, axis=-1)


@gating.whole_mistake(
    "The logits of padding are set to 0, not to something very low: e⁰ is 1.",
    hint="Which logit has a share of nothing?",
)
class PaddingAtZero(Variant):
    def weights_of(self, logits: Any, query_mask: Any) -> Any:
        return ops.softmax(ops.where(query_mask, logits, 0.0), axis=-1)


@gating.whole_mistake(
    "In a query without a word, padding shares the weights: they are 1 in sum.",
    hint="The softmax of equal logits is even, however low they are. What should nothing weigh?",
)
class EmptyShared(Variant):
    def weights_of(self, logits: Any, query_mask: Any) -> Any:
        return ops.softmax(ops.where(query_mask, logits, -1e9), axis=-1)


@gating.whole_mistake(
    "In a query without a word, the weights are NaN.",
    hint="A softmax over nothing but minus infinity divides 0 by 0.",
)
class EmptyIsNan(Variant):
    def weights_of(self, logits: Any, query_mask: Any) -> Any:
        return ops.softmax(ops.where(query_mask, logits, -float("inf")), axis=-1)


@gating.whole_mistake(
    "Each word is gated by itself, with a sigmoid: the words do not compete.",
    hint="What is the sum of the weights of a query to be?",
)
class Sigmoid(Variant):
    def weights_of(self, logits: Any, query_mask: Any) -> Any:
        return ops.where(query_mask, ops.sigmoid(logits), 0.0)


@gating.whole_mistake(
    "The softmax goes over the queries of the batch, not over the words of a query.",
    hint="What a word weighs cannot depend on who else is in the batch. Which axis holds the words?",
)
class OverBatch(Variant):
    def weights_of(self, logits: Any, query_mask: Any) -> Any:
        return ops.where(query_mask, ops.softmax(ops.where(query_mask, logits, -1e9), axis=0), 0.0)


@gating.whole_mistake(
    "The softmax goes over the features of each word, before they are summed.",
    hint="A word has one logit, w · e. What is the shape of what goes into the softmax?",
)
class OverFeatures(Variant):
    def call(self, vectors: Any, query_mask: Any) -> Any:
        features = ops.softmax(ops.cast(vectors * self.kernel, "float32"), axis=-1)
        return self.weights_of(ops.sum(features * ops.cast(vectors, "float32"), axis=-1), query_mask)


@gating.whole_mistake(
    "The logits are divided by the root of the width, as in attention.",
    hint="The gate is w · e, and has no other number in it.",
)
class Scaled(Variant):
    def logits(self, vectors: Any) -> Any:
        return super().logits(vectors) / float(vectors.shape[-1]) ** 0.5


@gating.whole_mistake(
    "The vectors are brought to length 1 first.",
    hint="A word may weigh more because its vector is longer. The equation has e as it is.",
)
class OfUnitVectors(Variant):
    def logits(self, vectors: Any) -> Any:
        return super().logits(right.unit_vectors(vectors))


@gating.whole_mistake(
    "The logits are returned, without a softmax.",
    hint="How much are all words of a query to weigh together?",
)
class Logits(Variant):
    def weights_of(self, logits: Any, query_mask: Any) -> Any:
        return ops.where(query_mask, logits, 0.0)


@gating.whole_mistake(
    "The weights are the logarithms of what they should be.",
    hint="log_softmax is for losses. Weights are positive.",
)
class LogWeights(Variant):
    def weights_of(self, logits: Any, query_mask: Any) -> Any:
        return ops.where(query_mask, ops.log_softmax(ops.where(query_mask, logits, -1e9), axis=-1), 0.0)


@gating.whole_mistake(
    "The answer has an axis too many, (batch, query_length, 1).",
    hint="One number for each word: how many axes are that?",
)
class Column(Variant):
    def call(self, vectors: Any, query_mask: Any) -> Any:
        return super().call(vectors, query_mask)[..., None]


@gating.whole_mistake(
    "The weights are divided by the number of words.",
    hint="A softmax sums to 1 already.",
)
class Averaged(Variant):
    def call(self, vectors: Any, query_mask: Any) -> Any:
        count = ops.sum(ops.cast(query_mask, "float32"), axis=-1, keepdims=True)
        return super().call(vectors, query_mask) / ops.maximum(count, 1.0)


@gating.whole_mistake(
    "The word with the highest logit gets everything.",
    hint="A maximum has no gradient for the others, and a query has more than one word that counts.",
)
class WinnerTakesAll(Variant):
    def weights_of(self, logits: Any, query_mask: Any) -> Any:
        low = ops.where(query_mask, logits, -1e9)
        return ops.where(query_mask, ops.cast(ops.equal(low, ops.max(low, axis=-1, keepdims=True)), "float32"), 0.0)


@gating.whole_mistake(
    "No gradient reaches the words or the weights.",
    hint="The gate learns which words matter. What does `ops.stop_gradient` take away?",
)
class Stopped(Variant):
    def call(self, vectors: Any, query_mask: Any) -> Any:
        return ops.stop_gradient(super().call(vectors, query_mask))


@gating.whole_mistake(
    "The softmax is written as exp over its sum: above 88, exp is infinite in float32, and the weights are NaN.",
    hint="`ops.softmax` takes the highest logit off first. Why does that change nothing else?",
)
class PowersOverflow(Variant):
    def weights_of(self, logits: Any, query_mask: Any) -> Any:
        powers = ops.where(query_mask, ops.exp(logits), 0.0)
        return powers / ops.maximum(ops.sum(powers, axis=-1, keepdims=True), 1e-9)


@gating.whole_mistake(
    "The softmax is computed in the precision of the vectors, and cast afterwards.",
    hint="What has been rounded to half precision stays rounded. When must the cast come?",
)
class SoftmaxInHalf(Variant):
    def logits(self, vectors: Any) -> Any:
        return ops.sum(vectors * ops.cast(self.kernel, vectors.dtype), axis=-1)

    def weights_of(self, logits: Any, query_mask: Any) -> Any:
        low = ops.cast(-1e4, logits.dtype)
        weights = ops.softmax(ops.where(query_mask, logits, low), axis=-1)
        return ops.where(query_mask, ops.cast(weights, "float32"), 0.0)
