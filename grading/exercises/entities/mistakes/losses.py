"""What goes wrong in token_loss."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

import course.entities as right
from grading.exercises.entities.checks import loss


def counted(labels: Any, ignore: int) -> Any:
    """1 where a token counts, and 0 elsewhere."""
    return ops.cast(ops.not_equal(labels, ignore), "float32")


def surprises(labels: Any, logits: Any, ignore: int) -> Any:
    """-log P(tag) at each token, in float32; of an ignored one, that of tag 0."""
    known = ops.where(ops.not_equal(labels, ignore), labels, ops.zeros_like(labels))
    return ops.sparse_categorical_crossentropy(known, ops.cast(logits, "float32"), from_logits=True)


@loss.whole_mistake(
    "The sum is divided by the number of all tokens, not by that of the labelled ones.",
    hint="Ignored tokens add nothing above the line. Do they still count below it?",
)
def mean_over_all(labels: Any, logits: Any, ignore: int = -100) -> Any:
    return ops.mean(surprises(labels, logits, ignore) * counted(labels, ignore))


@loss.whole_mistake(
    "Ignored tokens count as tag 0.",
    hint="To replace -100 by 0 makes an index of it. It must not make a label of it.",
)
def ignored_is_outside(labels: Any, logits: Any, ignore: int = -100) -> Any:
    return ops.mean(surprises(labels, logits, ignore))


@loss.whole_mistake(
    "Each text counts the same, not each token: it is a mean of the means of the rows.",
    hint="A text with one labelled token now weighs as much as one with six. Sum over the batch, then divide.",
)
def mean_of_rows(labels: Any, logits: Any, ignore: int = -100) -> Any:
    counts = counted(labels, ignore)
    sums = ops.sum(surprises(labels, logits, ignore) * counts, axis=-1)
    return ops.mean(ops.divide_no_nan(sums, ops.sum(counts, axis=-1)))


@loss.whole_mistake(
    "The losses are summed, not averaged.",
    hint="Twice as many texts in a batch should not double the loss.",
)
def summed(labels: Any, logits: Any, ignore: int = -100) -> Any:
    return ops.sum(surprises(labels, logits, ignore) * counted(labels, ignore))


@loss.whole_mistake(
    "Words that are no names do not count: a label of 0 is left out.",
    hint='0 is the id of "O", and O is to be learned. What is to be left out has another label.',
)
def outside_left_out(labels: Any, logits: Any, ignore: int = -100) -> Any:
    counts = counted(labels, ignore) * ops.cast(ops.not_equal(labels, 0), "float32")
    return ops.divide_no_nan(ops.sum(surprises(labels, logits, ignore) * counts), ops.sum(counts))


@loss.whole_mistake(
    "A softmax is taken of the logits, and then another one by the loss.",
    hint="from_logits=True says that the softmax is still to come.",
)
def softmax_twice(labels: Any, logits: Any, ignore: int = -100) -> Any:
    # Keras sees a softmax that comes straight before its own loss, and passes over it. Here it cannot.
    twice = ops.log_softmax(ops.softmax(ops.cast(logits, "float32")))
    counts = counted(labels, ignore)
    known = ops.where(ops.not_equal(labels, ignore), labels, ops.zeros_like(labels))
    losses = -ops.take_along_axis(twice, ops.cast(known, "int32")[..., None], axis=-1)[..., 0]
    return ops.divide_no_nan(ops.sum(losses * counts), ops.sum(counts))


@loss.whole_mistake(
    "The logits are taken for probabilities.",
    hint="Logits can be negative, and do not sum to 1. Look at what `from_logits` says.",
)
def from_probabilities(labels: Any, logits: Any, ignore: int = -100) -> Any:
    counts = counted(labels, ignore)
    known = ops.where(ops.not_equal(labels, ignore), labels, ops.zeros_like(labels))
    losses = ops.sparse_categorical_crossentropy(known, ops.cast(logits, "float32"))
    return ops.divide_no_nan(ops.sum(losses * counts), ops.sum(counts))


@loss.whole_mistake(
    "The sign is wrong: it is the mean of log P, which training would make as small as it can.",
    hint="log P is at most 0. A loss is at least 0, and falls as P grows.",
)
def negative(labels: Any, logits: Any, ignore: int = -100) -> Any:
    return -right.token_loss(labels, logits, ignore)


@loss.whole_mistake(
    "Where no token is labelled, 0 is divided by 0, and the loss is NaN.",
    hint="One NaN ends a training. What does `ops.divide_no_nan` do?",
)
def nan_where_nothing(labels: Any, logits: Any, ignore: int = -100) -> Any:
    counts = counted(labels, ignore)
    return ops.sum(surprises(labels, logits, ignore) * counts) / ops.sum(counts)


@loss.whole_mistake(
    "The loss is computed in the precision of the logits, here float16.",
    hint="float16 keeps three digits. Cast the logits before the softmax, not the loss after it.",
)
def in_half_precision(labels: Any, logits: Any, ignore: int = -100) -> Any:
    known = ops.where(ops.not_equal(labels, ignore), labels, ops.zeros_like(labels))
    losses = ops.sparse_categorical_crossentropy(known, logits, from_logits=True)
    counts = ops.cast(counted(labels, ignore), losses.dtype)
    return ops.divide_no_nan(ops.sum(losses * counts), ops.sum(counts))


@loss.whole_mistake(
    "The softmax is taken in float16, and only what comes of it is cast to float32.",
    hint="What float16 has rounded away does not come back. Where stands the cast, before or behind the softmax?",
)
def cast_after_softmax(labels: Any, logits: Any, ignore: int = -100) -> Any:
    known = ops.where(ops.not_equal(labels, ignore), labels, ops.zeros_like(labels))
    said = ops.cast(ops.log_softmax(ops.convert_to_tensor(logits), axis=-1), "float32")
    losses = -ops.take_along_axis(said, ops.cast(known, "int32")[..., None], axis=-1)[..., 0]
    counts = counted(labels, ignore)
    return ops.divide_no_nan(ops.sum(losses * counts), ops.sum(counts))


@loss.whole_mistake(
    "`ignore` is not looked at: -100 is what does not count, whatever was asked for.",
    hint="`ignore` is an argument.",
)
def always_minus_100(labels: Any, logits: Any, ignore: int = -100) -> Any:
    labels = ops.where(ops.convert_to_tensor(labels) == -1, ops.zeros_like(labels), labels)  # else an index of nothing
    return right.token_loss(labels, logits)


@loss.whole_mistake(
    "Only the first token of each text counts.",
    hint="The mean is over all tokens that have a label, wherever they stand.",
)
def first_tokens(labels: Any, logits: Any, ignore: int = -100) -> Any:
    return right.token_loss(labels[:, :1], logits[:, :1], ignore)


@loss.whole_mistake(
    "The loss leaves the tensors for NumPy, so it cannot be compiled, and no gradient comes back.",
    hint="NumPy keeps no record of what was computed. Use `keras.ops` from the first line to the last.",
)
def in_numpy(labels: Any, logits: Any, ignore: int = -100) -> Any:
    return right.token_loss(labels, keras.ops.convert_to_numpy(logits), ignore)
