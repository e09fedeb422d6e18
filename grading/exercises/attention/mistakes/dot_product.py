"""What goes wrong in scaled_dot_product_attention."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from keras import ops

import course.attention as right
from grading.exercises.attention.checks import attention


def variant(
    query: Any,
    key: Any,
    value: Any,
    mask: Any,
    *,
    divisor: Callable[[Any, Any], float] = lambda query, key: math.sqrt(query.shape[-1]),
    apply_mask: Callable[[Any, Any], Any] = lambda scores, mask: ops.where(mask, scores, -1e9),
    normalise: Callable[[Any], Any] = lambda scores: ops.softmax(scores, axis=-1),
) -> tuple[Any, Any]:
    """Attention in three steps, one of which a mistake gets wrong. The scores stay in the dtype that came in."""
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / divisor(query, key)
    if mask is not None:
        scores = apply_mask(scores, mask)
    weights = normalise(scores)
    return ops.matmul(weights, value), weights


def in_float32(query: Any, key: Any, value: Any, mask: Any, **wrong: Any) -> tuple[Any, Any]:
    """The variant with its scores in float32, as they should be."""
    query, key, wide = (ops.cast(array, "float32") for array in (query, key, value))
    output, weights = variant(query, key, wide, mask, **wrong)
    return ops.cast(output, value.dtype), ops.cast(weights, value.dtype)


@attention.mistake(
    "The scores are not divided by √d_k.",
    hint="The variance of q · k grows with the width of the head. What keeps it at 1?",
)
def unscaled(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    return in_float32(query, key, value, mask, divisor=lambda query, key: 1.0)


@attention.mistake(
    "The scores are divided by √(number of keys) instead of √d_k.",
    hint="Which axis of the key is its width, and which its length? Print key.shape.",
)
def scaled_by_length(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    return in_float32(query, key, value, mask, divisor=lambda query, key: math.sqrt(key.shape[-2]))


@attention.mistake(
    "The scores are divided by √(number of queries) instead of √d_k.",
    hint="Which axis of the query is its width, and which its length? Print query.shape.",
)
def scaled_by_query_length(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    return in_float32(query, key, value, mask, divisor=lambda query, key: math.sqrt(query.shape[-2]))


@attention.mistake(
    "The scores are divided by d_k instead of √d_k.",
    hint="The variance of a sum of d_k terms is d_k. What is its standard deviation?",
)
def scaled_by_width(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    return in_float32(query, key, value, mask, divisor=lambda query, key: query.shape[-1])


@attention.mistake(
    "The scores are divided by 8, which is √d_k only where heads are 64 wide.",
    hint="BERT's heads are 64 wide, but yours need not be. Take the width from the query.",
)
def scaled_by_constant(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    return in_float32(query, key, value, mask, divisor=lambda query, key: 8.0)


@attention.mistake(
    "The scores are multiplied by √d_k instead of divided.",
    hint="Should scaling make the softmax sharper or flatter?",
)
def scaled_up(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    return in_float32(query, key, value, mask, divisor=lambda query, key: 1 / math.sqrt(query.shape[-1]))


@attention.mistake(
    "The softmax runs over the queries instead of the keys.",
    hint="Each query's weights must sum to 1 over the keys. Which axis of the scores is that?",
)
def softmax_over_queries(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    return in_float32(query, key, value, mask, normalise=lambda scores: ops.softmax(scores, axis=-2))


@attention.mistake(
    "The softmax is missing: the raw scores are used as weights.",
    hint="Weights are positive and sum to 1. What turns any numbers into such?",
)
def no_softmax(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    return in_float32(query, key, value, mask, normalise=lambda scores: scores)


@attention.mistake(
    "The exponentials are not divided by their sum.",
    hint="Weights sum to 1 over the keys. By what must each exponential be divided?",
)
def not_normalised(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    return in_float32(query, key, value, mask, normalise=ops.exp)


@attention.mistake(
    "The softmax overflows: the largest score is not subtracted before the exponential.",
    hint="exp(1000) is infinite. Softmax does not change when a constant is taken from all scores. Which one helps?",
)
def overflowing_softmax(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    def normalise(scores: Any) -> Any:
        return ops.exp(scores) / ops.sum(ops.exp(scores), axis=-1, keepdims=True)

    return in_float32(query, key, value, mask, normalise=normalise)


@attention.mistake(
    "The scores are multiplied by the mask, so a forbidden key has the score 0 and keeps weight.",
    hint="exp(0) is 1, not 0. Which score gives a weight of 0 after the softmax?",
)
def scores_times_mask(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    def apply_mask(scores: Any, mask: Any) -> Any:
        return scores * ops.cast(mask, scores.dtype)

    return in_float32(query, key, value, mask, apply_mask=apply_mask)


@attention.mistake(
    "The weights are masked after the softmax, so they no longer sum to 1.",
    hint="What is taken from the forbidden keys must go to the others. Mask before the softmax.",
)
def weights_times_mask(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    _, weights = in_float32(query, key, value, None)
    if mask is not None:
        weights = weights * ops.cast(mask, weights.dtype)
    return ops.matmul(weights, value), weights


@attention.mistake(
    "The mask is upside down: what is allowed is forbidden, and the other way round.",
    hint="True means that attention is allowed. Which branch of `where` do the True places take?",
)
def mask_inverted(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    def apply_mask(scores: Any, mask: Any) -> Any:
        return ops.where(mask, -1e9, scores)

    return in_float32(query, key, value, mask, apply_mask=apply_mask)


@attention.mistake(
    "1 is added to the scores that are allowed; none is forbidden.",
    hint="Adding the mask itself moves scores by 1. To forbid, a score must become very small.",
)
def mask_added(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    def apply_mask(scores: Any, mask: Any) -> Any:
        return scores + ops.cast(mask, scores.dtype)

    return in_float32(query, key, value, mask, apply_mask=apply_mask)


@attention.mistake(
    "The mask is ignored.",
    hint="Where in your code does `mask` change a score?",
)
def mask_ignored(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    return in_float32(query, key, value, None)


@attention.mistake(
    "The mask is transposed: it forbids queries instead of keys.",
    hint="A row of the mask belongs to a query, a column to a key, just as in the scores.",
)
def mask_transposed(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    def apply_mask(scores: Any, mask: Any) -> Any:
        return ops.where(ops.swapaxes(mask, -1, -2), scores, -1e9)

    return in_float32(query, key, value, mask, apply_mask=apply_mask)


@attention.mistake(
    "A causal mask is left in: no query sees the keys that come after it.",
    hint="An encoder looks both ways. Only the mask that is passed in forbids anything.",
)
def causal_left_in(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    past = np.arange(query.shape[-2])[:, None] >= np.arange(key.shape[-2])
    return in_float32(query, key, value, past if mask is None else ops.logical_and(mask, past))


@attention.mistake(
    "A query that may attend to nothing gets NaN: a softmax over nothing but -inf.",
    hint="-inf - (-inf) is NaN. Use a large negative number that is finite.",
)
def minus_infinity(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    def apply_mask(scores: Any, mask: Any) -> Any:
        return ops.where(mask, scores, -math.inf)

    return in_float32(query, key, value, mask, apply_mask=apply_mask)


@attention.mistake(
    "In float16, -1e9 is -infinity, and a query that may attend to nothing gets NaN.",
    hint="float16 ends at 65504. Cast the scores to float32 before you mask them.",
)
def overflow_in_half(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    return variant(query, key, value, mask)


@attention.mistake(
    "In float16, -1e9 is -infinity, and -infinity times 0 is NaN, wherever there is a mask.",
    hint="float16 ends at 65504. Cast the scores to float32 before you mask them, and choose with `where`.",
)
def added_overflow_in_half(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    def apply_mask(scores: Any, mask: Any) -> Any:
        return scores + (1 - ops.cast(mask, scores.dtype)) * ops.cast(-1e9, scores.dtype)

    return variant(query, key, value, mask, apply_mask=apply_mask)


@attention.mistake(
    "Only the output is returned; the weights are wanted, too.",
    hint="Return both: `return output, weights`.",
)
def output_only(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    return right.scaled_dot_product_attention(query, key, value, mask)[0]


@attention.mistake(
    "Output and weights are returned in the wrong order.",
    hint="Look at the docstring: the output comes first.",
)
def wrong_order(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    output, weights = right.scaled_dot_product_attention(query, key, value, mask)
    return weights, output


@attention.mistake(
    "The weights are applied to the keys instead of the values.",
    hint="Keys decide how much is taken from each token. What is taken?",
)
def weighted_keys(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    return right.scaled_dot_product_attention(query, key, key, mask)
