"""What goes wrong in next_sentence_loss."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

import course.next_sentence as right
from grading.exercises.next_sentence.checks import loss


@loss.whole_mistake(
    "The losses are summed, not averaged.",
    hint="Twice as many pairs in a batch should not double the loss.",
)
def summed(labels: Any, logits: Any) -> Any:
    logits = ops.cast(logits, "float32")
    return ops.sum(ops.sparse_categorical_crossentropy(labels, logits, from_logits=True))


@loss.whole_mistake(
    "There is a loss for each pair; the mean of them is wanted.",
    hint="Training wants one number.",
)
def not_averaged(labels: Any, logits: Any) -> Any:
    return ops.sparse_categorical_crossentropy(labels, ops.cast(logits, "float32"), from_logits=True)


@loss.whole_mistake(
    "A softmax is taken of the logits, and then another one by the loss.",
    hint="from_logits=True says that the softmax is still to come.",
)
def softmax_twice(labels: Any, logits: Any) -> Any:
    # Keras sees a softmax that comes straight before its own loss, and passes over it. Here it cannot.
    twice = ops.log_softmax(ops.softmax(ops.cast(logits, "float32")))
    return -ops.mean(ops.take_along_axis(twice, labels[:, None], axis=-1))


@loss.whole_mistake(
    "The logits are taken for probabilities.",
    hint="Logits can be negative, and do not sum to 1. Look at what `from_logits` says.",
)
def from_probabilities(labels: Any, logits: Any) -> Any:
    return ops.mean(ops.sparse_categorical_crossentropy(labels, ops.cast(logits, "float32")))


@loss.whole_mistake(
    "The labels are the wrong way round: 1 is taken for a real pair.",
    hint="In the published weights, 0 is a real pair, and its score is column 0.",
)
def labels_swapped(labels: Any, logits: Any) -> Any:
    return right.next_sentence_loss(1 - labels, logits)


@loss.whole_mistake(
    "The sign is wrong: it is the mean of log P, which training would make as small as it can.",
    hint="log P is at most 0. A loss is at least 0, and falls as P grows.",
)
def negative(labels: Any, logits: Any) -> Any:
    return -right.next_sentence_loss(labels, logits)


@loss.whole_mistake(
    "The two scores are judged by a sigmoid each, as if a pair could be both real and random.",
    hint="One of the two labels is true, so their probabilities sum to 1. Which function makes them do so?",
)
def two_sigmoids(labels: Any, logits: Any) -> Any:
    targets = ops.one_hot(labels, 2)
    return ops.mean(ops.binary_crossentropy(targets, ops.cast(logits, "float32"), from_logits=True))


@loss.whole_mistake(
    "Only the second score is used, through a sigmoid; the first is never looked at.",
    hint="The softmax of two scores looks at their difference.",
)
def one_sigmoid(labels: Any, logits: Any) -> Any:
    targets = ops.cast(labels, "float32")
    return ops.mean(ops.binary_crossentropy(targets, ops.cast(logits, "float32")[:, 1], from_logits=True))


@loss.whole_mistake(
    "It is the squared distance from the label, not the surprise.",
    hint="How much should it cost to give the true label the probability 0.001, rather than 0.1?",
)
def squared(labels: Any, logits: Any) -> Any:
    probabilities = ops.softmax(ops.cast(logits, "float32"))
    return ops.mean(ops.square(probabilities - ops.one_hot(labels, 2)))


@loss.whole_mistake(
    "The logarithm is of base 2.",
    hint="Who does not know has a loss of log 2 = 0.6931, the natural logarithm.",
)
def in_bits(labels: Any, logits: Any) -> Any:
    return right.next_sentence_loss(labels, logits) / ops.log(2.0)


@loss.whole_mistake(
    "The probability of a sure and wrong guess is 0 in float32, and its logarithm infinite.",
    hint="log(softmax(u)) can be computed without the detour over P. See `ops.log_softmax`, or `from_logits`.",
)
def logarithm_of_zero(labels: Any, logits: Any) -> Any:
    probabilities = ops.softmax(ops.cast(logits, "float32"))
    return -ops.mean(ops.log(ops.take_along_axis(probabilities, labels[:, None], axis=-1)))


@loss.whole_mistake(
    "The probabilities are cut off far above 0, so a sure and wrong guess costs too little.",
    hint="Keras keeps probabilities above 1e-7. From logits, nothing has to be cut off.",
)
def cut_off(labels: Any, logits: Any) -> Any:
    probabilities = ops.softmax(ops.cast(logits, "float32"))
    chosen = ops.take_along_axis(probabilities, labels[:, None], axis=-1)
    return -ops.mean(ops.log(ops.clip(chosen, 1e-7, 1.0)))


@loss.whole_mistake(
    "The loss is computed in the precision of the logits, here float16.",
    hint="float16 keeps three digits. Cast the logits before the softmax, not the loss after it.",
)
def in_half_precision(labels: Any, logits: Any) -> Any:
    return ops.mean(ops.sparse_categorical_crossentropy(labels, logits, from_logits=True))


@loss.whole_mistake(
    "The loss leaves the tensors for NumPy, so it cannot be compiled, and no gradient comes back.",
    hint="NumPy keeps no record of what was computed. Use `keras.ops` from the first line to the last.",
)
def in_numpy(labels: Any, logits: Any) -> Any:
    return right.next_sentence_loss(labels, keras.ops.convert_to_numpy(logits))
