"""What goes wrong in mask_tokens from word to word and from call to call, and in what it returns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from keras import ops, random

import course.masked_lm as right
from grading.exercises.masked_lm.checks import masks
from grading.exercises.masked_lm.mistakes.steps import by_shares, smallest, three_numbers, variant


@masks.whole_mistake(
    "There is one decision for each row: all its selected words become [MASK], or all change, or all stay.",
    hint="What is the shape of the random numbers that decide? Each word needs one of its own.",
)
def one_fate_a_row(*args: Any, **options: Any) -> Any:
    def numbers(shape: Sequence[Any], seed: Any) -> Any:
        select, happen, which = three_numbers(shape, seed)
        return select, ops.broadcast_to(happen[:, :1], ops.shape(which)), which

    return variant(*args, **options, numbers=numbers)


@masks.whole_mistake(
    "There is one decision for each place: it is the same in all rows.",
    hint="What is the shape of the random numbers that decide? Each word needs one of its own.",
)
def one_fate_a_place(*args: Any, **options: Any) -> Any:
    def numbers(shape: Sequence[Any], seed: Any) -> Any:
        select, happen, which = three_numbers(shape, seed)
        return select, ops.broadcast_to(happen[:1], ops.shape(which)), which

    return variant(*args, **options, numbers=numbers)


@masks.whole_mistake(
    "One random word is drawn for each row, and put in wherever the row needs one.",
    hint="What is the shape of what you draw? Each place needs a word of its own.",
)
def one_word_a_row(*args: Any, **options: Any) -> Any:
    def numbers(shape: Sequence[Any], seed: Any) -> Any:
        select, happen, which = three_numbers(shape, seed)
        return select, happen, ops.broadcast_to(which[:, :1], ops.shape(happen))

    return variant(*args, **options, numbers=numbers)


@masks.whole_mistake(
    "Each row gets its shares exactly, 80% of its selected words, so what happens to one depends on the others.",
    hint="A row with one selected word now always gets [MASK]. Toss for each word by itself.",
)
def quota_of_a_row(*args: Any, **options: Any) -> Any:
    chosen: Any = None

    def choose(numbers: Any, words: Any, number: Any) -> Any:
        nonlocal chosen
        chosen = smallest(numbers, words, number)
        return chosen

    def replace(happen: Any, token_ids: Any, drawn: Any, mask_id: int) -> Any:
        rank = ops.argsort(ops.argsort(ops.where(chosen, happen, 2.0), axis=-1), axis=-1)
        count = ops.sum(ops.cast(chosen, "float32"), axis=-1, keepdims=True)
        share = (ops.cast(rank, "float32") + 0.5) / ops.maximum(count, 1.0)
        return by_shares(share, token_ids, drawn, mask_id)

    return variant(*args, **options, choose=choose, replace=replace)


@masks.whole_mistake(
    "The seed is fixed: every call masks the same words, in every epoch.",
    hint="An integer as seed means the same numbers each time. Hand on the `seed` that you were given.",
)
def fixed_seed(*args: Any, seed: Any = None, **options: Any) -> Any:
    return variant(*args, **options, seed=42)


@masks.whole_mistake(
    "The seed is ignored: the same integer does not give the same masks again.",
    hint="Without a seed nobody can repeat an experiment. Hand on the `seed` that you were given.",
)
def seed_ignored(*args: Any, seed: Any = None, **options: Any) -> Any:
    return variant(*args, **options)


@masks.whole_mistake(
    "The seed 0 is taken for no seed at all: its masks are not the same again.",
    hint="`seed or ...` asks whether the seed is true, and 0 is not. What tells None from 0?",
)
def no_seed_of_zero(*args: Any, seed: Any = None, **options: Any) -> Any:
    return variant(*args, **options, seed=seed or None)


@masks.whole_mistake(
    "Where the seed is an integer, each draw gives the same numbers again, so they are not independent.",
    hint="Two draws with the same integer are one and the same. Can you draw all numbers at once?",
)
def three_draws_with_one_seed(*args: Any, **options: Any) -> Any:
    def numbers(shape: Sequence[Any], seed: Any) -> Any:
        return [random.uniform(shape, seed=seed) for _ in range(3)]

    return variant(*args, **options, numbers=numbers)


@masks.whole_mistake(
    "It is written in NumPy, which cannot be compiled into a training step.",
    hint="In a compiled step there are no numbers yet, only tensors. `keras.ops` has what NumPy has.",
)
def in_numpy(token_ids: Any, *args: Any, **options: Any) -> Any:
    return right.mask_tokens(np.array(token_ids), *args, **options)


@masks.whole_mistake(
    "A Python loop goes through the rows, which cannot be compiled into a training step.",
    hint="In a compiled step the number of rows is not known yet. Work on all rows at once.",
)
def loop_over_rows(token_ids: Any, *args: Any, **options: Any) -> Any:
    rows = [row for row in token_ids]  # noqa: C416
    return right.mask_tokens(ops.stack(rows), *args, **options)


@masks.whole_mistake(
    "Only the corrupted ids are returned; which words were selected is wanted, too.",
    hint="Without it, the loss cannot know which words to score, least of all those that stayed.",
)
def ids_only(*args: Any, **options: Any) -> Any:
    return variant(*args, **options)[0]


@masks.whole_mistake(
    "What was selected is returned as numbers; it must be boolean.",
    hint="A comparison gives truth values by itself. No cast is needed.",
)
def selected_as_numbers(*args: Any, **options: Any) -> Any:
    masked_ids, selected = variant(*args, **options)
    return masked_ids, ops.cast(selected, "float32")


@masks.whole_mistake(
    "The two results are returned in the wrong order.",
    hint="Look at the docstring: the corrupted ids come first.",
)
def wrong_order(*args: Any, **options: Any) -> Any:
    masked_ids, selected = variant(*args, **options)
    return selected, masked_ids
