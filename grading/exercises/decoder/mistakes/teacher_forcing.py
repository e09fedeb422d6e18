"""What goes wrong in teacher_forcing."""

from __future__ import annotations

from grading.exercises.decoder.checks import forcing

TENSOR = "targets = ops.convert_to_tensor(targets)"
PADDING = "ops.full((batch, 1), padding_id, dtype=dtype)"
ENDED = "labels = ops.where(places == lengths, ops.cast(end_id, dtype), labels)"
WEIGHTS = 'ops.cast(places <= lengths, "float32")'

forcing.mistake(
    "not_shifted",
    "Nothing is shifted: the model is shown the word that it should say.",
    hint="At each place it sees the words before, and is asked for the next one.",
    change={"return inputs, labels": "return labels, labels"},
)
forcing.mistake(
    "shifted_twice",
    "It is shifted twice: the labels are the words after the next one.",
    hint="To the start belongs the first word as its label.",
    change={
        ENDED: f"{ENDED}\nlabels = ops.concatenate([labels[:, 1:], {PADDING}], axis=1)",
        "places <= lengths": "places < lengths",
    },
)
forcing.mistake(
    "end_of_the_row",
    "The end stands at the end of the row, behind the padding.",
    hint="It is to be said right after the last word.",
    change={
        PADDING: "ops.full((batch, 1), end_id, dtype=dtype)",
        ENDED: "",
        "places <= lengths": "ops.not_equal(labels, padding_id)",
    },
)
forcing.mistake(
    "no_end",
    "There is no end: nobody teaches the model to stop.",
    hint="What is the label after the last word?",
    change={ENDED: "", "places <= lengths": "places < lengths"},
)
forcing.mistake(
    "end_without_weight",
    "The end is there, but its weight is 0, so it is never learned.",
    hint="How many things are to be said of a text of three words?",
    change={"places <= lengths": "places < lengths"},
)
forcing.mistake(
    "padding_counts",
    "Padding counts: its weight is 1.",
    hint="Nobody wants the model to write padding. What does it cost if its weight is 0?",
    change={WEIGHTS: 'ops.ones_like(labels, "float32")'},
)
forcing.mistake(
    "end_is_shown",
    "The end stands in the inputs, too.",
    hint="After the end nothing is asked for, so nobody needs to see it.",
    change={ENDED: f"{ENDED}\ninputs = ops.where(places == lengths + 1, ops.cast(end_id, dtype), inputs)"},
)
forcing.mistake(
    "start_in_the_labels",
    "The start stands in the labels, too.",
    hint="The start is given. What is the first thing that the model says?",
    change={"return inputs, labels": "return inputs, inputs"},
)
forcing.mistake(
    "as_long_as_before",
    "The row keeps its length: in a text that fills it, the last word and the end are lost.",
    hint="With start or end, a text is one longer.",
    change={f"return inputs, labels, {WEIGHTS}": f"return inputs[:, :-1], labels[:, :-1], {WEIGHTS}[:, :-1]"},
)
forcing.mistake(
    "end_over_the_last_word",
    "The end takes the place of the last word, instead of the one after it.",
    hint="Of a text of three words, four things are to be said.",
    change={"places = ops.arange(": "lengths = ops.maximum(lengths - 1, 0)\nplaces = ops.arange("},
)
forcing.mistake(
    "padding_of_zero",
    "padding_id is ignored: padding is always taken to be 0.",
    hint="Which id fills up short texts is said by an argument.",
    change={TENSOR: f"{TENSOR}\npadding_id = 0"},
)
forcing.mistake(
    "as_int32",
    "The ids come back as int32, whatever dtype the targets have.",
    hint="`keras.backend.standardize_dtype(targets.dtype)` says which one the others should be made of.",
    change={TENSOR: 'targets = ops.cast(targets, "int32")'},
)
forcing.mistake(
    "exchanged",
    "Start and end are exchanged.",
    hint="Which one is shown, and which one is to be said?",
    change={"(batch, 1), start_id": "(batch, 1), end_id", "ops.cast(end_id": "ops.cast(start_id"},
)
