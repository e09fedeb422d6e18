"""What goes wrong in replaced_tokens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from keras import ops, random

from course.self_supervision.electra_parts import put_words
from grading.exercises.objectives.checks import faking


def by_softmax(logits: Any, seed: Any) -> Any:
    """One word for each guess: (batch, predictions)."""
    each = ops.reshape(logits, (-1, logits.shape[-1]))
    drawn = random.categorical(each, 1, dtype="int32", seed=seed)
    return ops.reshape(drawn, ops.shape(logits)[:2])


def differs(corrupted: Any, token_ids: Any, positions: Any, weights: Any) -> Any:
    return ops.not_equal(corrupted, token_ids)


def variant(
    token_ids: Any,
    positions: Any,
    weights: Any,
    logits: Any,
    seed: Any = None,
    *,
    draw: Callable = by_softmax,
    put: Callable = put_words,
    say: Callable = differs,
) -> tuple[Any, Any]:
    """Fakes in three steps, one of which a mistake gets wrong."""
    token_ids = ops.cast(token_ids, "int32")
    drawn = draw(ops.cast(logits, "float32"), seed)
    corrupted = put(token_ids, positions, weights, drawn)
    return corrupted, say(corrupted, token_ids, positions, weights)


def where_put(token_ids: Any, positions: Any, weights: Any) -> Any:
    """True wherever a word was put."""
    nothing = -ops.ones_like(ops.cast(positions, "int32"))
    return ops.equal(put_words(ops.abs(ops.cast(token_ids, "int32")), positions, weights, nothing), -1)


@faking.whole_mistake(
    "The likeliest word is taken instead of one that is drawn.",
    hint="With argmax each place has one fake only, and the detective learns it by heart. Which function draws?",
)
def likeliest(*args: Any, **options: Any) -> Any:
    return variant(*args, **options, draw=lambda logits, seed: ops.cast(ops.argmax(logits, axis=-1), "int32"))


@faking.whole_mistake(
    "Every hidden place counts as replaced, even where the generator guessed right.",
    hint="Who draws the word that stood there has replaced nothing. What is compared with what?",
)
def lucky_draws_count(*args: Any, **options: Any) -> Any:
    def say(corrupted: Any, token_ids: Any, positions: Any, weights: Any) -> Any:
        return where_put(token_ids, positions, weights)

    return variant(*args, **options, say=say)


@faking.whole_mistake(
    "It is the wrong way round: True where a token is what it was.",
    hint="`replaced` is True at fakes. Equal or not equal?",
)
def inverted(*args: Any, **options: Any) -> Any:
    return variant(*args, **options, say=lambda corrupted, token_ids, *_: ops.equal(corrupted, token_ids))


@faking.whole_mistake(
    "The words that stood there are returned instead of whether they were replaced.",
    hint="The detective answers yes or no. What is it asked?",
)
def words_as_labels(*args: Any, **options: Any) -> Any:
    return variant(*args, **options, say=lambda corrupted, token_ids, *_: token_ids)


@faking.whole_mistake(
    "Words are put at positions of weight 0, too, which only fill up the row.",
    hint="What does a weight of 0 say of a position?",
)
def weights_ignored(*args: Any, **options: Any) -> Any:
    def put(token_ids: Any, positions: Any, weights: Any, words: Any) -> Any:
        return put_words(token_ids, positions, ops.ones_like(weights), words)

    return variant(*args, **options, put=put)


@faking.whole_mistake(
    "The words are put at the beginning of the rows instead of at their positions.",
    hint="Guess 2 of a row does not stand at place 2. Which argument says where it does?",
)
def at_the_beginning(*args: Any, **options: Any) -> Any:
    def put(token_ids: Any, positions: Any, weights: Any, words: Any) -> Any:
        count = ops.shape(positions)[1]
        there = ops.broadcast_to(ops.arange(count, dtype="int32"), ops.shape(positions))
        return put_words(token_ids, there, weights, words)

    return variant(*args, **options, put=put)


@faking.whole_mistake(
    "The positions of the first row are taken for all rows.",
    hint="In each text other words are hidden. Which rows of `positions` are used?",
)
def positions_of_first_row(*args: Any, **options: Any) -> Any:
    def put(token_ids: Any, positions: Any, weights: Any, words: Any) -> Any:
        return put_words(token_ids, ops.zeros_like(positions) + positions[:1], weights, words)

    return variant(*args, **options, put=put)


@faking.whole_mistake(
    "What was not replaced is lost: 0 stands there.",
    hint="The detective reads whole texts. What stands where nothing was hidden?",
)
def others_lost(*args: Any, **options: Any) -> Any:
    def put(token_ids: Any, positions: Any, weights: Any, words: Any) -> Any:
        return put_words(ops.zeros_like(token_ids), positions, weights, words)

    def say(corrupted: Any, token_ids: Any, positions: Any, weights: Any) -> Any:
        return differs(put_words(token_ids, positions, weights, _taken(corrupted, positions)), token_ids, None, None)

    return variant(*args, **options, put=put, say=say)


def _taken(token_ids: Any, positions: Any) -> Any:
    return ops.take_along_axis(token_ids, ops.cast(positions, "int32"), axis=1)


@faking.whole_mistake(
    "A softmax is taken before words are drawn, and the draw takes another one.",
    hint="`random.categorical` wants logits. What is the softmax of numbers between 0 and 1?",
)
def softmax_twice(*args: Any, **options: Any) -> Any:
    return variant(*args, **options, draw=lambda logits, seed: by_softmax(ops.softmax(logits, axis=-1), seed))


@faking.whole_mistake(
    "The logits are doubled before words are drawn: likely words come too often.",
    hint="Nothing divides or multiplies the logits. Where does a temperature come from?",
)
def temperature(*args: Any, **options: Any) -> Any:
    return variant(*args, **options, draw=lambda logits, seed: by_softmax(2 * logits, seed))


@faking.whole_mistake(
    "All words of the vocabulary are drawn alike: the logits do not matter.",
    hint="Fakes that nobody would write are easy to find. Whose opinion are the logits?",
)
def any_word(*args: Any, **options: Any) -> Any:
    return variant(*args, **options, draw=lambda logits, seed: by_softmax(ops.zeros_like(logits), seed))


@faking.whole_mistake(
    "There is one draw for all rows: each row gets the words of the first one.",
    hint="Every guess has a draw of its own. Along which axis do yours repeat?",
)
def one_draw_for_all_rows(*args: Any, **options: Any) -> Any:
    def draw(logits: Any, seed: Any) -> Any:
        return ops.zeros(ops.shape(logits)[:2], "int32") + by_softmax(logits[:1], seed)

    return variant(*args, **options, draw=draw)


@faking.whole_mistake(
    "There is one draw for a row: its words are all the same.",
    hint="Every guess has a draw of its own. How many numbers are drawn for a row of four guesses?",
)
def one_draw_for_a_row(*args: Any, **options: Any) -> Any:
    def draw(logits: Any, seed: Any) -> Any:
        return ops.zeros(ops.shape(logits)[:2], "int32") + by_softmax(logits[:, :1], seed)

    return variant(*args, **options, draw=draw)


@faking.whole_mistake(
    "The seed is ignored: nobody can draw the same words again.",
    hint="`random.categorical` takes a seed. Which one does it get?",
)
def seed_ignored(*args: Any, seed: Any = None, **options: Any) -> Any:
    return variant(*args, **options)


@faking.whole_mistake(
    "The seed is fixed: the same words are drawn at each call.",
    hint="A SeedGenerator goes on from call to call. Who takes a number instead?",
)
def seed_fixed(*args: Any, seed: Any = None, **options: Any) -> Any:
    return variant(*args, **{**options, "seed": 0})


@faking.whole_mistake(
    "Two are returned the wrong way round: first what was replaced, then the texts.",
    hint="What does the docstring return first?",
)
def swapped(*args: Any, **options: Any) -> Any:
    return variant(*args, **options)[::-1]
