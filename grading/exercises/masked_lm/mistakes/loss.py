"""What goes wrong in masked_lm_loss."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

import course.masked_lm as right
from grading.exercises.masked_lm.checks import loss


def surprises(labels: Any, logits: Any) -> Any:
    """-log P(word) at each position, in float32."""
    return ops.sparse_categorical_crossentropy(labels, ops.cast(logits, "float32"), from_logits=True)


@loss.whole_mistake(
    "The weights are ignored: every position counts.",
    hint="Where no word was masked, the answer was in plain sight. Which argument says where that is?",
)
def weights_ignored(labels: Any, logits: Any, weights: Any) -> Any:
    return ops.mean(surprises(labels, logits))


@loss.whole_mistake(
    "The sum is divided by the number of all positions, not by the number of masked words.",
    hint="Positions of weight 0 add nothing above the line. Do they still count below it?",
)
def mean_over_all(labels: Any, logits: Any, weights: Any) -> Any:
    return ops.mean(surprises(labels, logits) * weights)


@loss.whole_mistake(
    "The losses are averaged first and weighted after, so the weights choose nothing.",
    hint="Once there is one number, it is too late to say which words count. Multiply each word's loss by its weight.",
)
def averaged_first(labels: Any, logits: Any, weights: Any) -> Any:
    return ops.mean(ops.mean(surprises(labels, logits)) * weights)


@loss.whole_mistake(
    "Each text counts the same, not each word: it is a mean of the means of the rows.",
    hint="A row with one masked word now weighs as much as a row with four. Sum over the batch, then divide.",
)
def mean_of_rows(labels: Any, logits: Any, weights: Any) -> Any:
    sums = ops.sum(surprises(labels, logits) * weights, axis=-1)
    return ops.mean(ops.divide_no_nan(sums, ops.sum(weights, axis=-1)))


@loss.whole_mistake(
    "The losses are summed, not averaged.",
    hint="Twice as many texts in a batch should not double the loss.",
)
def summed(labels: Any, logits: Any, weights: Any) -> Any:
    return ops.sum(surprises(labels, logits) * weights)


@loss.whole_mistake(
    "A softmax is taken of the logits, and then another one by the loss.",
    hint="from_logits=True says that the softmax is still to come.",
)
def softmax_twice(labels: Any, logits: Any, weights: Any) -> Any:
    # Keras sees a softmax that comes straight before its own loss, and passes over it. Here it cannot.
    twice = ops.log_softmax(ops.softmax(ops.cast(logits, "float32")))
    losses = -ops.take_along_axis(twice, labels[..., None], axis=-1)[..., 0]
    return ops.divide_no_nan(ops.sum(losses * weights), ops.sum(weights))


@loss.whole_mistake(
    "The logits are taken for probabilities.",
    hint="Logits can be negative, and do not sum to 1. Look at what `from_logits` says.",
)
def from_probabilities(labels: Any, logits: Any, weights: Any) -> Any:
    losses = ops.sparse_categorical_crossentropy(labels, ops.cast(logits, "float32"))
    return ops.divide_no_nan(ops.sum(losses * weights), ops.sum(weights))


@loss.whole_mistake(
    "The sign is wrong: it is the mean of log P, which training would make as small as it can.",
    hint="log P is at most 0. A loss is at least 0, and falls as P grows.",
)
def negative(labels: Any, logits: Any, weights: Any) -> Any:
    return -right.masked_lm_loss(labels, logits, weights)


@loss.whole_mistake(
    "It is the mean of 1 - P, not of -log P.",
    hint="How much should it cost to give the right word the probability 0.01, rather than 0.1?",
)
def no_logarithm(labels: Any, logits: Any, weights: Any) -> Any:
    missed = 1.0 - ops.exp(-surprises(labels, logits))
    return ops.divide_no_nan(ops.sum(missed * weights), ops.sum(weights))


@loss.whole_mistake(
    "Where no word is masked, 0 is divided by 0, and the loss is NaN.",
    hint="A batch without a masked word is rare, but one NaN ends a training. What does `ops.divide_no_nan` do?",
)
def nan_where_nothing(labels: Any, logits: Any, weights: Any) -> Any:
    return ops.sum(surprises(labels, logits) * weights) / ops.sum(weights)


@loss.whole_mistake(
    "Where no word is masked, the loss is 0, but its gradient is NaN: the division by 0 is hidden, and not avoided.",
    hint="Backwards, 0 times infinity is NaN, whatever `where` makes of the result. Divide by something that is not 0.",
)
def nan_backwards(labels: Any, logits: Any, weights: Any) -> Any:
    count = ops.sum(weights)
    return ops.where(count > 0, ops.sum(surprises(labels, logits) * weights) / count, 0.0)


@loss.whole_mistake(
    "A masked word whose id is 0 does not count, as if it were padding.",
    hint="The weights alone say what counts. A label is a word, whatever its number is.",
)
def label_zero_left_out(labels: Any, logits: Any, weights: Any) -> Any:
    return right.masked_lm_loss(labels, logits, weights * ops.cast(ops.not_equal(labels, 0), "float32"))


@loss.whole_mistake(
    "The loss is computed in the precision of the logits, here float16.",
    hint="float16 keeps three digits. Cast the logits before the softmax, not the loss after it.",
)
def in_half_precision(labels: Any, logits: Any, weights: Any) -> Any:
    losses = ops.sparse_categorical_crossentropy(labels, logits, from_logits=True)
    weights = ops.cast(weights, losses.dtype)
    return ops.divide_no_nan(ops.sum(losses * weights), ops.sum(weights))


@loss.whole_mistake(
    "The loss leaves the tensors for NumPy, so it cannot be compiled, and no gradient comes back.",
    hint="NumPy keeps no record of what was computed. Use `keras.ops` from the first line to the last.",
)
def in_numpy(labels: Any, logits: Any, weights: Any) -> Any:
    return right.masked_lm_loss(labels, keras.ops.convert_to_numpy(logits), weights)
