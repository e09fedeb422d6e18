"""What goes wrong in alibi_slopes and alibi_bias."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from keras import ops

import course.positions as right
from grading.exercises.positions.checks import bias, slopes


def of_power(heads: int, first: int = 1) -> np.ndarray:
    return 2.0 ** (-8 / heads * np.arange(first, heads + first))


def below(num_heads: int) -> int:
    return 2 ** int(math.log2(num_heads))


def joined(*parts: np.ndarray) -> np.ndarray:
    return np.concatenate(parts).astype("float32")


@slopes.whole_mistake(
    "The formula for powers of two is used for every number of heads.",
    hint="12 heads have slopes that 8 heads have, and some more. Which comes first?",
)
def one_formula_for_all(num_heads: int) -> Any:
    return joined(of_power(num_heads))


@slopes.whole_mistake(
    "h counts from 0, so the first slope is 1.",
    hint="Of 8 heads, the first has the slope 1/2.",
)
def from_zero(num_heads: int) -> Any:
    power = below(num_heads)
    return joined(of_power(power, 0), of_power(2 * power, 0)[::2][: num_heads - power])


@slopes.whole_mistake(
    "Where n is no power of two, the first n slopes of the next higher one are taken.",
    hint="The next lower power comes first, whole.",
)
def of_the_next_higher(num_heads: int) -> Any:
    return joined(of_power(2 ** math.ceil(math.log2(num_heads)))[:num_heads])


@slopes.whole_mistake(
    "Of the slopes of twice as many heads, the second, the fourth and so on are taken; these are there already.",
    hint="Of 16 slopes, every second one is a slope of 8 heads, too. Take the others.",
)
def the_other_half(num_heads: int) -> Any:
    power = below(num_heads)
    return joined(of_power(power), of_power(2 * power)[1::2][: num_heads - power])


@slopes.whole_mistake(
    "Of the slopes of twice as many heads, the first ones are taken; every second one is wanted.",
    hint="The slopes that are missing lie between those that are there, all along.",
)
def without_steps(num_heads: int) -> Any:
    power = below(num_heads)
    return joined(of_power(power), of_power(2 * power)[: num_heads - power])


@slopes.whole_mistake(
    "The slopes are sorted. Those that were missing come last, in the order in which they are taken.",
    hint="Weights belong to their heads: a head must keep the slope that it was trained with.",
)
def sorted_slopes(num_heads: int) -> Any:
    return np.sort(right.alibi_slopes(num_heads))[::-1].copy()


@slopes.whole_mistake(
    "The slopes are negative. The minus belongs to the bias.",
    hint="A slope is between 0 and 1. Who takes the penalty off, the slope or the bias?",
)
def negative(num_heads: int) -> Any:
    return -right.alibi_slopes(num_heads)


@slopes.whole_mistake(
    "The exponent is -h instead of -8h / n.",
    hint="Whatever the number of heads is, the last of a power of two has 2^-8.",
)
def eight_forgotten(num_heads: int) -> Any:
    power = below(num_heads)
    extra = 2.0 ** -np.arange(1, 2 * power + 1)
    return joined(2.0 ** -np.arange(1.0, power + 1), extra[::2][: num_heads - power])


@slopes.whole_mistake(
    "The powers are those of e; they should be those of 2.",
    hint="Of 8 heads, each slope is half of the one before.",
)
def natural(num_heads: int) -> Any:
    return np.exp(np.log2(right.alibi_slopes(num_heads))).astype("float32")


@slopes.whole_mistake(
    "The slopes run the other way: the first head has the smallest.",
    hint="h = 1 is the first head. Is 2^(-8 / n) large or small?",
)
def reversed_slopes(num_heads: int) -> Any:
    return right.alibi_slopes(num_heads)[::-1].copy()


@bias.whole_mistake(
    "What is far away is rewarded: the minus is missing.",
    hint="Scores of far keys are to become smaller.",
)
def rewarded(num_heads: int, query_length: int, key_length: int, offset: int = 0) -> Any:
    return -right.alibi_bias(num_heads, query_length, key_length, offset)


def signed(num_heads: int, query_length: int, key_length: int, offset: int) -> Any:
    """slope · (key - query), positive for keys that come later."""
    distance = np.arange(key_length) - (np.arange(query_length)[:, None] + offset)
    return (right.alibi_slopes(num_heads)[:, None, None] * distance)[None].astype("float32")


@bias.whole_mistake(
    "The distance has a sign: what comes later is rewarded.",
    hint="A key two words on is as far away as one two words back.",
)
def one_sided(num_heads: int, query_length: int, key_length: int, offset: int = 0) -> Any:
    return signed(num_heads, query_length, key_length, offset)


@bias.whole_mistake(
    "Only what comes before is far away: what comes later costs nothing.",
    hint="That is enough where a mask hides the future. Here queries may look both ways.",
)
def past_only(num_heads: int, query_length: int, key_length: int, offset: int = 0) -> Any:
    return ops.minimum(signed(num_heads, query_length, key_length, offset), 0.0)


@bias.whole_mistake(
    "All queries get the distance from the last key. That serves only where a causal mask hides the future.",
    hint="Each query has a place of its own. Which distance has the first query from the first key?",
)
def from_the_last_key(num_heads: int, query_length: int, key_length: int, offset: int = 0) -> Any:
    last = right.alibi_bias(num_heads, 1, key_length, offset=key_length - 1)
    return last + ops.zeros((1, 1, query_length, 1))


@bias.whole_mistake(
    "The future is forbidden by -infinity. What is forbidden is the mask's to say.",
    hint="An encoder has a bias, too, and looks both ways.",
)
def future_forbidden(num_heads: int, query_length: int, key_length: int, offset: int = 0) -> Any:
    later = np.arange(key_length) > np.arange(query_length)[:, None] + offset
    return ops.where(later, -np.inf, right.alibi_bias(num_heads, query_length, key_length, offset))


@bias.whole_mistake(
    "The offset is ignored: the first query always stands at 0.",
    hint="Query i stands at offset + i.",
)
def offset_ignored(num_heads: int, query_length: int, key_length: int, offset: int = 0) -> Any:
    return right.alibi_bias(num_heads, query_length, key_length)


@bias.whole_mistake(
    "The offset is added to the keys instead of the queries.",
    hint="The keys stand at 0, 1, 2, ... It is the queries that begin later.",
)
def offset_of_the_keys(num_heads: int, query_length: int, key_length: int, offset: int = 0) -> Any:
    shifted = ops.swapaxes(right.alibi_bias(num_heads, key_length, query_length, offset), -1, -2)
    return shifted


@bias.whole_mistake(
    "Queries and keys are exchanged: the result is (1, heads, key, query).",
    hint="A row is a query, a column a key, as in the scores.",
)
def transposed(num_heads: int, query_length: int, key_length: int, offset: int = 0) -> Any:
    return ops.swapaxes(right.alibi_bias(num_heads, query_length, key_length, offset), -1, -2)


@bias.whole_mistake(
    "All heads have the same slope, that of the first.",
    hint="Each head has its own slope; some look far, some near.",
)
def one_slope(num_heads: int, query_length: int, key_length: int, offset: int = 0) -> Any:
    return right.alibi_bias(num_heads, query_length, key_length, offset)[:, :1] + ops.zeros((1, num_heads, 1, 1))


@bias.whole_mistake(
    "The slopes are missing: the bias is the distance itself.",
    hint="Each head multiplies the distance by its slope.",
)
def no_slopes(num_heads: int, query_length: int, key_length: int, offset: int = 0) -> Any:
    by_slope = right.alibi_bias(num_heads, query_length, key_length, offset)
    return by_slope / right.alibi_slopes(num_heads)[:, None, None]


@bias.whole_mistake(
    "The distance is squared.",
    hint="The penalty is linear: each step costs the same.",
)
def squared(num_heads: int, query_length: int, key_length: int, offset: int = 0) -> Any:
    return no_slopes(num_heads, query_length, key_length, offset) * -right.alibi_bias(
        num_heads, query_length, key_length, offset
    )


@bias.whole_mistake(
    "The axis of the batch is missing: the result is (heads, query, key).",
    hint="Scores are (batch, heads, query, key). Four axes say without doubt which is which.",
)
def without_batch(num_heads: int, query_length: int, key_length: int, offset: int = 0) -> Any:
    return right.alibi_bias(num_heads, query_length, key_length, offset)[0]


@bias.whole_mistake(
    "The distances are counted in float16, which has no odd numbers beyond 2048.",
    hint="Count in whole numbers, and then cast to float32.",
)
def coarse(num_heads: int, query_length: int, key_length: int, offset: int = 0) -> Any:
    distance = no_slopes(num_heads, query_length, key_length, offset)
    return ops.cast(ops.cast(distance, "float16"), "float32") * right.alibi_slopes(num_heads)[:, None, None]


@bias.whole_mistake(
    "The exponential of the penalty is returned. It is added to the scores, before the softmax.",
    hint="A token itself gets 0, since nothing is added to its score.",
)
def after_the_softmax(num_heads: int, query_length: int, key_length: int, offset: int = 0) -> Any:
    return ops.exp(right.alibi_bias(num_heads, query_length, key_length, offset))
