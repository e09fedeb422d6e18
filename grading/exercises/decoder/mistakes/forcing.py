"""What goes wrong in teacher_forcing."""

from __future__ import annotations

from typing import Any

from keras import ops

import course.decoder as right
from grading.exercises.decoder.checks import forcing


def column(targets: Any, number: int) -> Any:
    return ops.cast(ops.full((ops.shape(targets)[0], 1), number), targets.dtype)


def lengths(targets: Any, padding_id: int) -> Any:
    return ops.sum(ops.cast(ops.not_equal(targets, padding_id), "int32"), axis=1, keepdims=True)


def places(targets: Any) -> Any:
    return ops.arange(ops.shape(targets)[1] + 1)[None, :]


@forcing.whole_mistake(
    "Nothing is shifted: the model is shown the word that it should say.",
    hint="At each place it sees the words before, and is asked for the next one.",
)
def not_shifted(targets: Any, start_id: int, end_id: int, padding_id: int = 0) -> Any:
    _, labels, weights = right.teacher_forcing(targets, start_id, end_id, padding_id)
    return labels, labels, weights


@forcing.whole_mistake(
    "It is shifted twice: the labels are the words after the next one.",
    hint="To the start belongs the first word as its label.",
)
def shifted_twice(targets: Any, start_id: int, end_id: int, padding_id: int = 0) -> Any:
    inputs, labels, _ = right.teacher_forcing(targets, start_id, end_id, padding_id)
    labels = ops.concatenate([labels[:, 1:], column(targets, padding_id)], axis=1)
    return inputs, labels, ops.cast(ops.not_equal(labels, padding_id), "float32")


@forcing.whole_mistake(
    "The end stands at the end of the row, behind the padding.",
    hint="It is to be said right after the last word.",
)
def end_of_the_row(targets: Any, start_id: int, end_id: int, padding_id: int = 0) -> Any:
    inputs, _, _ = right.teacher_forcing(targets, start_id, end_id, padding_id)
    labels = ops.concatenate([targets, column(targets, end_id)], axis=1)
    return inputs, labels, ops.cast(ops.not_equal(labels, padding_id), "float32")


@forcing.whole_mistake(
    "There is no end: nobody teaches the model to stop.",
    hint="What is the label after the last word?",
)
def no_end(targets: Any, start_id: int, end_id: int, padding_id: int = 0) -> Any:
    inputs, _, _ = right.teacher_forcing(targets, start_id, end_id, padding_id)
    labels = ops.concatenate([targets, column(targets, padding_id)], axis=1)
    return inputs, labels, ops.cast(ops.not_equal(labels, padding_id), "float32")


@forcing.whole_mistake(
    "The end is there, but its weight is 0, so it is never learned.",
    hint="How many things are to be said of a text of three words?",
)
def end_without_weight(targets: Any, start_id: int, end_id: int, padding_id: int = 0) -> Any:
    inputs, labels, _ = right.teacher_forcing(targets, start_id, end_id, padding_id)
    return inputs, labels, ops.cast(places(targets) < lengths(targets, padding_id), "float32")


@forcing.whole_mistake(
    "Padding counts: its weight is 1.",
    hint="Nobody wants the model to write padding. What does it cost if its weight is 0?",
)
def padding_counts(targets: Any, start_id: int, end_id: int, padding_id: int = 0) -> Any:
    inputs, labels, weights = right.teacher_forcing(targets, start_id, end_id, padding_id)
    return inputs, labels, ops.ones_like(weights)


@forcing.whole_mistake(
    "The end stands in the inputs, too.",
    hint="After the end nothing is asked for, so nobody needs to see it.",
)
def end_is_shown(targets: Any, start_id: int, end_id: int, padding_id: int = 0) -> Any:
    inputs, labels, weights = right.teacher_forcing(targets, start_id, end_id, padding_id)
    at_end = places(targets) == lengths(targets, padding_id) + 1
    return ops.where(at_end, ops.cast(end_id, inputs.dtype), inputs), labels, weights


@forcing.whole_mistake(
    "The start stands in the labels, too.",
    hint="The start is given. What is the first thing that the model says?",
)
def start_in_the_labels(targets: Any, start_id: int, end_id: int, padding_id: int = 0) -> Any:
    inputs, _, weights = right.teacher_forcing(targets, start_id, end_id, padding_id)
    return inputs, inputs, weights


@forcing.whole_mistake(
    "The row keeps its length: in a text that fills it, the last word and the end are lost.",
    hint="With start or end, a text is one longer.",
)
def as_long_as_before(targets: Any, start_id: int, end_id: int, padding_id: int = 0) -> Any:
    return tuple(each[:, :-1] for each in right.teacher_forcing(targets, start_id, end_id, padding_id))


@forcing.whole_mistake(
    "The end takes the place of the last word, instead of the one after it.",
    hint="Of a text of three words, four things are to be said.",
)
def end_over_the_last_word(targets: Any, start_id: int, end_id: int, padding_id: int = 0) -> Any:
    inputs, _, _ = right.teacher_forcing(targets, start_id, end_id, padding_id)
    words = ops.concatenate([targets, column(targets, padding_id)], axis=1)
    last = ops.maximum(lengths(targets, padding_id) - 1, 0)
    labels = ops.where(places(targets) == last, ops.cast(end_id, words.dtype), words)
    labels = ops.where(places(targets) > last, ops.cast(padding_id, words.dtype), labels)
    return inputs, labels, ops.cast(places(targets) <= last, "float32")


@forcing.whole_mistake(
    "padding_id is ignored: padding is always taken to be 0.",
    hint="Which id fills up short texts is said by an argument.",
)
def padding_of_zero(targets: Any, start_id: int, end_id: int, padding_id: int = 0) -> Any:
    inputs = ops.concatenate([column(targets, start_id), targets], axis=1)
    labels = ops.concatenate([targets, column(targets, 0)], axis=1)
    count = lengths(targets, 0)
    labels = ops.where(places(targets) == count, ops.cast(end_id, labels.dtype), labels)
    return inputs, labels, ops.cast(places(targets) <= count, "float32")


@forcing.whole_mistake(
    "The ids come back as int32, whatever dtype the targets have.",
    hint="`keras.backend.standardize_dtype(targets.dtype)` says which one the others should be made of.",
)
def as_int32(targets: Any, start_id: int, end_id: int, padding_id: int = 0) -> Any:
    return right.teacher_forcing(ops.cast(targets, "int32"), start_id, end_id, padding_id)


@forcing.whole_mistake(
    "Start and end are exchanged.",
    hint="Which one is shown, and which one is to be said?",
)
def exchanged(targets: Any, start_id: int, end_id: int, padding_id: int = 0) -> Any:
    return right.teacher_forcing(targets, end_id, start_id, padding_id)
