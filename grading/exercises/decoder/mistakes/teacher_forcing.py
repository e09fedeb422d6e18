"""What goes wrong in teacher_forcing."""

from __future__ import annotations

from grading.exercises.decoder.checks import forcing

TENSOR = "targets = ops.convert_to_tensor(targets)"
PADDING = "ops.full((batch, 1), padding_id, dtype=dtype)"
ENDED = "labels = ops.where(places == lengths, ops.cast(end_id, dtype), labels)"
WEIGHTS = 'ops.cast(places <= lengths, "float32")'

forcing.mistake(
    "not_shifted",
    "Nothing is shifted: the inputs show the model the word that it should predict.",
    hint="At each place the model sees the words before, and is asked for the next one.",
    change={"return inputs, labels": "return labels, labels"},
)
forcing.mistake(
    "shifted_twice",
    "The labels are shifted twice: each is the word after the next one.",
    hint="The label at the start is the first word.",
    change={
        ENDED: f"{ENDED}\nlabels = ops.concatenate([labels[:, 1:], {PADDING}], axis=1)",
        "places <= lengths": "places < lengths",
    },
)
forcing.mistake(
    "end_of_the_row",
    "The end is at the end of the row, after the padding.",
    hint="The end comes directly after the last word.",
    change={
        PADDING: "ops.full((batch, 1), end_id, dtype=dtype)",
        ENDED: "",
        "places <= lengths": "ops.not_equal(labels, padding_id)",
    },
)
forcing.mistake(
    "end_at_argmax",
    "In a row without padding, the end takes the first word's place: argmax finds 0 where nothing is padding.",
    hint="What does argmax return for a row of False alone? Where should the end be in a row that is full?",
    change={
        'ops.sum(ops.cast(ops.not_equal(targets, padding_id), "int32"), axis=1, keepdims=True)': (
            'ops.argmax(ops.cast(ops.equal(targets, padding_id), "int32"), axis=1)[:, None]'
        ),
        "ops.arange(length + 1)": 'ops.arange(length + 1, dtype="int32")',
    },
)
forcing.mistake(
    "no_end",
    "The end is missing, so the model never learns to stop.",
    hint="What is the label after the last word?",
    change={ENDED: "", "places <= lengths": "places < lengths"},
)
forcing.mistake(
    "end_without_weight",
    "The end has weight 0, so the model never learns it.",
    hint="How many labels does a text of three words have?",
    change={"places <= lengths": "places < lengths"},
)
forcing.mistake(
    "padding_counts",
    "Padding has weight 1 and counts in the loss.",
    hint="The model should not learn to write padding. What weight makes the loss skip it?",
    change={WEIGHTS: 'ops.ones_like(labels, "float32")'},
)
forcing.mistake(
    "end_is_shown",
    "The end is in the inputs, too.",
    hint="Nothing is predicted after the end. Does the model need to see it?",
    change={ENDED: f"{ENDED}\ninputs = ops.where(places == lengths + 1, ops.cast(end_id, dtype), inputs)"},
)
forcing.mistake(
    "start_in_the_labels",
    "The start is in the labels, too.",
    hint="The start is given. What does the model predict first?",
    change={"return inputs, labels": "return inputs, inputs"},
)
forcing.mistake(
    "as_long_as_before",
    "The row keeps its length, so a text that fills it loses its last word or the end.",
    hint="With the start or the end, a text has one more element.",
    change={f"return inputs, labels, {WEIGHTS}": f"return inputs[:, :-1], labels[:, :-1], {WEIGHTS}[:, :-1]"},
)
forcing.mistake(
    "as_many_starts_as_columns",
    "The start is made like the targets' first column: targets of length 0 have none, and then nothing is left.",
    hint="A batch of empty texts has the shape (2, 0). How many columns does your result have?",
    change={
        "ops.full((batch, 1), start_id, dtype=dtype)": "ops.full_like(targets[:, :1], start_id)",
        "ops.full((batch, 1), padding_id, dtype=dtype)": "ops.full_like(targets[:, :1], padding_id)",
        "places = ops.arange(length + 1)[None, :]": "places = ops.arange(ops.shape(inputs)[1])[None, :]",
    },
)
forcing.mistake(
    "end_over_the_last_word",
    "The end overwrites the last word instead of following it.",
    hint="How many labels does a text of three words have?",
    change={"places = ops.arange(": "lengths = ops.maximum(lengths - 1, 0)\nplaces = ops.arange("},
)
forcing.mistake(
    "padding_of_zero",
    "padding_id is ignored: padding is assumed to be 0.",
    hint="Which argument names the id that fills up short texts?",
    change={TENSOR: f"{TENSOR}\npadding_id = 0"},
)
forcing.mistake(
    "as_int32",
    "The ids are returned as int32, whatever the dtype of the targets.",
    hint="`keras.backend.standardize_dtype(targets.dtype)` gives the dtype for the other arrays.",
    change={TENSOR: 'targets = ops.cast(targets, "int32")'},
)
forcing.mistake(
    "exchanged",
    "Start and end are swapped.",
    hint="Which one does the model see, and which one does it predict?",
    change={"(batch, 1), start_id": "(batch, 1), end_id", "ops.cast(end_id": "ops.cast(start_id"},
)
