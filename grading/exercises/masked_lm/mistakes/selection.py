"""What goes wrong in mask_tokens, where words are selected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from keras import ops

from grading.exercises.masked_lm.checks import masks
from grading.exercises.masked_lm.mistakes.steps import is_word, number_of_words, three_numbers, variant


@masks.whole_mistake(
    "Special tokens and padding are selected, too.",
    hint="[CLS], [SEP] and padding are no words. Which argument lists them?",
)
def specials_selected(*args: Any, **options: Any) -> Any:
    return variant(*args, **options, words=lambda token_ids, _: ops.ones_like(token_ids, dtype="bool"))


@masks.whole_mistake(
    "Only padding is left out; the other special tokens are selected like words.",
    hint="[CLS] and [SEP] are always where they are; there is nothing to learn from guessing them.",
)
def only_padding_left_out(*args: Any, **options: Any) -> Any:
    return variant(*args, **options, words=lambda token_ids, _: token_ids != 0)


@masks.whole_mistake(
    "The id 0 is never selected, as if it were padding in every vocabulary.",
    hint="Where 0 is padding, it is among `special_ids`. Only these say what is no word.",
)
def never_zero(*args: Any, **options: Any) -> Any:
    def words(token_ids: Any, special_ids: Any) -> Any:
        return ops.logical_and(is_word(token_ids, special_ids), token_ids != 0)

    return variant(*args, **options, words=words)


@masks.whole_mistake(
    "Each word is selected with the probability `rate`, so chance decides how many of a row are.",
    hint="The docstring asks for a number of words in each row. Which words have the smallest random numbers?",
)
def number_by_chance(*args: Any, rate: float = 0.15, **options: Any) -> Any:
    def choose(numbers: Any, words: Any, number: Any) -> Any:
        return ops.logical_and(words, numbers < rate)

    return variant(*args, rate=rate, **options, choose=choose)


@masks.whole_mistake(
    "The share is taken of the whole row, with special tokens and padding.",
    hint="A row with ten words and fifty [PAD] has ten words. `rate` times which number?",
)
def share_of_the_row(*args: Any, **options: Any) -> Any:
    def how_many(words: Any, rate: float) -> Any:
        return number_of_words(ops.ones_like(words), rate)

    return variant(*args, **options, how_many=how_many)


@masks.whole_mistake(
    "The number of selected words is cut off instead of rounded.",
    hint="15% of 12 words are 1.8. Is that nearer to 1 or to 2? A cast to int32 does not round.",
)
def cut_off(*args: Any, **options: Any) -> Any:
    def how_many(words: Any, rate: float) -> Any:
        return ops.maximum(ops.floor(rate * ops.sum(ops.cast(words, "float32"), axis=-1, keepdims=True)), 1.0)

    return variant(*args, **options, how_many=how_many)


@masks.whole_mistake(
    "Halves are rounded up; the docstring wants the even number.",
    hint="Half of 5 words are 2.5. `round` makes 2 of them, and `masked_positions` has room for no more.",
)
def halves_up(*args: Any, **options: Any) -> Any:
    def how_many(words: Any, rate: float) -> Any:
        number = rate * ops.sum(ops.cast(words, "float32"), axis=-1, keepdims=True)
        return ops.maximum(ops.floor(number + 0.5), 1.0)

    return variant(*args, **options, how_many=how_many)


@masks.whole_mistake(
    "In a row of a few words, none is selected.",
    hint="15% of 3 words round to 0, and nothing would be learned from them. At least one, says the docstring.",
)
def none_of_few(*args: Any, **options: Any) -> Any:
    def how_many(words: Any, rate: float) -> Any:
        return ops.round(rate * ops.sum(ops.cast(words, "float32"), axis=-1, keepdims=True))

    return variant(*args, **options, how_many=how_many)


@masks.whole_mistake(
    "The rate is ignored: it is always 15%.",
    hint="0.15 is only what `rate` is unless somebody says otherwise.",
)
def rate_ignored(*args: Any, rate: float = 0.15, **options: Any) -> Any:
    return variant(*args, **options)


@masks.whole_mistake(
    "The order is taken for the ranks: argsort once says which number comes first, not how far back each one is.",
    hint="For the numbers 0.9, 0.1, 0.5, argsort gives 1, 2, 0. The ranks are 2, 0, 1. What turns one into the other?",
)
def order_for_ranks(*args: Any, **options: Any) -> Any:
    def choose(numbers: Any, words: Any, number: Any) -> Any:
        order = ops.argsort(ops.where(words, numbers, 2.0), axis=-1)
        return ops.logical_and(words, ops.cast(order, "float32") < number)

    return variant(*args, **options, choose=choose)


@masks.whole_mistake(
    "The first words of every row are selected; nothing is random about it.",
    hint="Which words are hidden must change from call to call, or else the last words of a text are never guessed.",
)
def first_words(*args: Any, **options: Any) -> Any:
    def choose(numbers: Any, words: Any, number: Any) -> Any:
        place = ops.cumsum(ops.cast(words, "float32"), axis=-1) - 1.0
        return ops.logical_and(words, place < number)

    return variant(*args, **options, choose=choose)


@masks.whole_mistake(
    "The same places are selected in every row: there is one row of random numbers for the whole batch.",
    hint="What is the shape of your random numbers? Each token needs one of its own.",
)
def same_places(*args: Any, **options: Any) -> Any:
    def numbers(shape: Sequence[Any], seed: Any) -> Any:
        select, happen, which = three_numbers(shape, seed)
        return ops.broadcast_to(select[:1], ops.shape(happen)), happen, which

    return variant(*args, **options, numbers=numbers)


@masks.whole_mistake(
    "A whole span is selected: words that stand beside each other.",
    hint="That is how SpanBERT masks. In BERT each word is selected for itself.",
)
def spans(*args: Any, **options: Any) -> Any:
    def choose(numbers: Any, words: Any, number: Any) -> Any:
        place = ops.cumsum(ops.cast(words, "float32"), axis=-1) - 1.0
        count = ops.sum(ops.cast(words, "float32"), axis=-1, keepdims=True)
        start = ops.floor(numbers[:, :1] * count)
        return ops.logical_and(words, ops.mod(place - start, ops.maximum(count, 1.0)) < number)

    return variant(*args, **options, choose=choose)
