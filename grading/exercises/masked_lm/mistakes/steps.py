"""mask_tokens in steps, each of which a mistake can replace by a wrong one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from keras import ops, random


def three_numbers(shape: Sequence[Any], seed: Any) -> Any:
    """Is it selected, what happens to it, what replaces it?"""
    return ops.unstack(random.uniform((3, *shape), seed=seed), num=3)


def is_word(token_ids: Any, special_ids: Sequence[int]) -> Any:
    return ops.all(ops.not_equal(token_ids[:, :, None], ops.convert_to_tensor(list(special_ids), "int32")), axis=-1)


def number_of_words(words: Any, rate: float) -> Any:
    return ops.maximum(ops.round(rate * ops.sum(ops.cast(words, "float32"), axis=-1, keepdims=True)), 1.0)


def smallest(numbers: Any, words: Any, number: Any) -> Any:
    rank = ops.argsort(ops.argsort(ops.where(words, numbers, 2.0), axis=-1), axis=-1)
    return ops.logical_and(words, ops.cast(rank, "float32") < number)


def by_probability(numbers: Any, probabilities: Any) -> Any:
    cumulative = np.cumsum(probabilities)
    cumulative = ops.convert_to_tensor(cumulative / cumulative[-1], dtype="float32")
    drawn = ops.searchsorted(cumulative, ops.reshape(numbers, (-1,)), side="right")
    return ops.reshape(ops.cast(drawn, "int32"), ops.shape(numbers))


def by_shares(happen: Any, token_ids: Any, drawn: Any, mask_id: int) -> Any:
    return ops.where(happen < 0.8, mask_id, ops.where(happen < 0.9, drawn, token_ids))


def variant(
    token_ids: Any,
    unigram_probabilities: Any,
    mask_id: int,
    special_ids: Sequence[int],
    *,
    rate: float = 0.15,
    seed: Any = None,
    numbers: Callable = three_numbers,
    words: Callable = is_word,
    how_many: Callable = number_of_words,
    choose: Callable = smallest,
    draw: Callable = by_probability,
    replace: Callable = by_shares,
) -> tuple[Any, Any]:
    """Masking in steps, one of which a mistake gets wrong."""
    token_ids = ops.convert_to_tensor(token_ids, dtype="int32")
    select, happen, which = numbers(ops.shape(token_ids), seed)
    maskable = words(token_ids, special_ids)
    selected = choose(select, maskable, how_many(maskable, rate))
    corrupted = replace(happen, token_ids, draw(which, unigram_probabilities), mask_id)
    return ops.where(selected, corrupted, token_ids), selected
