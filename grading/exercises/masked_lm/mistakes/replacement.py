"""What goes wrong in mask_tokens, where selected words are replaced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from keras import ops

import course.masked_lm as right
from grading.exercises.masked_lm.checks import masks
from grading.exercises.masked_lm.mistakes.steps import by_probability, by_shares, smallest, three_numbers, variant


@masks.whole_mistake(
    "Every selected word becomes [MASK].",
    hint="Is it one random number that selects a word and then decides what happens to it? Then it is always small.",
)
def all_masked(*args: Any, **options: Any) -> Any:
    return variant(*args, **options, replace=lambda happen, token_ids, drawn, mask_id: mask_id)


@masks.whole_mistake(
    "The random words are overwritten by [MASK].",
    hint="Of two replacements, the second wins where both apply. Which numbers get [MASK]: all below 0.9?",
)
def random_overwritten(*args: Any, **options: Any) -> Any:
    def replace(happen: Any, token_ids: Any, drawn: Any, mask_id: int) -> Any:
        replaced = ops.where(happen < 0.9, drawn, token_ids)
        return ops.where(happen < 0.9, mask_id, replaced)

    return variant(*args, **options, replace=replace)


@masks.whole_mistake(
    "No selected word stays as it is: all that do not become [MASK] are replaced.",
    hint="80% and 10% leave 10%.",
)
def none_kept(*args: Any, **options: Any) -> Any:
    def replace(happen: Any, token_ids: Any, drawn: Any, mask_id: int) -> Any:
        return ops.where(happen < 0.8, mask_id, drawn)

    return variant(*args, **options, replace=replace)


@masks.whole_mistake(
    "No word is replaced by a random one: all that do not become [MASK] stay.",
    hint="80% and 10% leave 10%. Where do the drawn words come in?",
)
def none_random(*args: Any, **options: Any) -> Any:
    def replace(happen: Any, token_ids: Any, drawn: Any, mask_id: int) -> Any:
        return ops.where(happen < 0.8, mask_id, token_ids)

    return variant(*args, **options, replace=replace)


@masks.whole_mistake(
    "The 10% of random words are taken of those that did not become [MASK], so they are 2%.",
    hint="10% of all selected words are how much of the 20% that are left?",
)
def share_of_the_rest(*args: Any, **options: Any) -> Any:
    def replace(happen: Any, token_ids: Any, drawn: Any, mask_id: int) -> Any:
        return ops.where(happen < 0.8, mask_id, ops.where(happen < 0.82, drawn, token_ids))

    return variant(*args, **options, replace=replace)


@masks.whole_mistake(
    "80% and 10% have changed places: most selected words stay as they are.",
    hint="Follow a random number of 0.5 through your code. What happens to its word?",
)
def shares_swapped(*args: Any, **options: Any) -> Any:
    def replace(happen: Any, token_ids: Any, drawn: Any, mask_id: int) -> Any:
        return ops.where(happen < 0.8, token_ids, ops.where(happen < 0.9, drawn, mask_id))

    return variant(*args, **options, replace=replace)


@masks.whole_mistake(
    "Words that were not selected are replaced as well.",
    hint="All three fates are for selected words only. Which `where` says so?",
)
def not_selected_replaced(*args: Any, **options: Any) -> Any:
    maskable: Any = None
    replaced: Any = None

    def choose(numbers: Any, words: Any, number: Any) -> Any:
        nonlocal maskable
        maskable = words
        return smallest(numbers, words, number)

    def replace(happen: Any, token_ids: Any, drawn: Any, mask_id: int) -> Any:
        nonlocal replaced
        replaced = ops.where(ops.logical_and(maskable, (happen >= 0.8) & (happen < 0.9)), drawn, token_ids)
        return by_shares(happen, token_ids, drawn, mask_id)

    masked_ids, selected = variant(*args, **options, choose=choose, replace=replace)
    return ops.where(selected, masked_ids, replaced), selected


@masks.whole_mistake(
    "The corrupted ids are never used: the texts come back as they were.",
    hint="What does the first of your two results hold where a word was selected?",
)
def not_applied(*args: Any, **options: Any) -> Any:
    return variant(*args, **options, replace=lambda happen, token_ids, drawn, mask_id: token_ids)


@masks.whole_mistake(
    "Words that stay as they are do not count as selected, so they would not be predicted.",
    hint="A kept word is part of the task: the model must not be able to trust what it sees.",
)
def kept_not_selected(token_ids: Any, *args: Any, **options: Any) -> Any:
    masked_ids, selected = variant(token_ids, *args, **options)
    return masked_ids, ops.logical_and(selected, masked_ids != ops.cast(token_ids, "int32"))


@masks.whole_mistake(
    "The random words are drawn from all ids alike, special tokens among them.",
    hint="In a text, some words occur a thousand times as often as others. Which argument knows?",
)
def uniform_over_ids(*args: Any, **options: Any) -> Any:
    def draw(numbers: Any, probabilities: Any) -> Any:
        return by_probability(numbers, np.ones(len(probabilities)))

    return variant(*args, **options, draw=draw)


@masks.whole_mistake(
    "The random words are drawn from all words alike, those among them that never occur.",
    hint="In a text, some words occur a thousand times as often as others. Which argument knows?",
)
def uniform_over_words(
    token_ids: Any, unigram_probabilities: Any, mask_id: int, special_ids: Sequence[int], **options: Any
) -> Any:
    flat = np.ones(len(unigram_probabilities))
    flat[list(special_ids)] = 0.0
    return right.mask_tokens(token_ids, flat, mask_id, special_ids, **options)


@masks.whole_mistake(
    "The random words are drawn alike from those that occur, not by how often they do.",
    hint="Does a word of probability 0.1 come up ten times as often as one of 0.01?",
)
def uniform_over_seen(*args: Any, **options: Any) -> Any:
    def draw(numbers: Any, probabilities: Any) -> Any:
        return by_probability(numbers, np.asarray(probabilities) > 0)

    return variant(*args, **options, draw=draw)


@masks.whole_mistake(
    "The random words are other tokens of the same batch.",
    hint="A small batch has few words. Draw from the vocabulary, by the probabilities that are given.",
)
def words_of_the_batch(token_ids: Any, probabilities: Any, mask_id: int, special_ids: Any, **options: Any) -> Any:
    batch = ops.reshape(ops.convert_to_tensor(token_ids, dtype="int32"), (-1,))
    is_special = ops.any(batch[:, None] == ops.convert_to_tensor(list(special_ids), "int32"), axis=-1)
    batch = ops.take(batch, ops.argsort(ops.cast(is_special, "int32")))  # words first

    def draw(numbers: Any, _: Any) -> Any:
        count = ops.sum(ops.cast(ops.logical_not(is_special), "float32"))
        return ops.take(batch, ops.cast(numbers * (count - 1.0), "int32"))

    return variant(token_ids, probabilities, mask_id, special_ids, **options, draw=draw)


@masks.whole_mistake(
    "The word with the next id is put in for the one that was drawn.",
    hint="With the probabilities 0.5 and 0.5, which id belongs to the number 0.2? Print what `searchsorted` gives.",
)
def next_id(*args: Any, **options: Any) -> Any:
    def draw(numbers: Any, probabilities: Any) -> Any:
        return ops.minimum(by_probability(numbers, probabilities) + 1, len(probabilities) - 1)

    return variant(*args, **options, draw=draw)


@masks.whole_mistake(
    "It is always the likeliest word that is put in.",
    hint="A draw is random: the likeliest word comes up most often, and others come up, too.",
)
def likeliest_word(*args: Any, **options: Any) -> Any:
    def draw(numbers: Any, probabilities: Any) -> Any:
        return ops.full_like(numbers, int(np.argmax(probabilities)), dtype="int32")

    return variant(*args, **options, draw=draw)


@masks.whole_mistake(
    "One random number decides what happens to a word and which word replaces it, so only a few words can come.",
    hint="If the number lies between 0.8 and 0.9, which part of the cumulative probabilities can it reach?",
)
def fate_and_word_together(*args: Any, **options: Any) -> Any:
    def numbers(shape: Sequence[Any], seed: Any) -> Any:
        select, happen, _ = three_numbers(shape, seed)
        return select, happen, happen

    return variant(*args, **options, numbers=numbers)
