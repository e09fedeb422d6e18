"""What goes wrong in next_sentence_loss."""

from __future__ import annotations

from grading.exercises.next_sentence.checks import loss

IN_FLOAT32 = 'ops.cast(logits, "float32")'
LOSSES = "ops.sparse_categorical_crossentropy(labels, logits, from_logits=True)"
MEAN = f"ops.mean({LOSSES})"

loss.mistake(
    "summed",
    "The losses are summed, not averaged.",
    hint="Twice as many pairs in a batch should not double the loss.",
    change={MEAN: f"ops.sum({LOSSES})"},
)
loss.mistake(
    "not_averaged",
    "There is a loss for each pair; the mean of them is wanted.",
    hint="Training wants one number.",
    change={MEAN: LOSSES},
)
loss.mistake(
    "softmax_twice",
    "A softmax is taken of the logits, and then another one by the loss.",
    hint="from_logits=True says that the softmax is still to come.",
    # Keras sees a softmax that comes straight before its own loss, and passes over it. Here it cannot.
    change={LOSSES: "-ops.take_along_axis(ops.log_softmax(ops.softmax(logits)), labels[:, None], axis=-1)"},
)
loss.mistake(
    "from_probabilities",
    "The logits are taken for probabilities.",
    hint="Logits can be negative, and do not sum to 1. Look at what `from_logits` says.",
    change={", from_logits=True": ""},
)
loss.mistake(
    "labels_swapped",
    "The labels are the wrong way round: 1 is taken for a real pair.",
    hint="In the published weights, 0 is a real pair, and its score is column 0.",
    change={"crossentropy(labels": "crossentropy(1 - labels"},
)
loss.mistake(
    "negative",
    "The sign is wrong: it is the mean of log P, which training would make as small as it can.",
    hint="log P is at most 0. A loss is at least 0, and falls as P grows.",
    change={MEAN: f"-{MEAN}"},
)
loss.mistake(
    "two_sigmoids",
    "The two scores are judged by a sigmoid each, as if a pair could be both real and random.",
    hint="One of the two labels is true, so their probabilities sum to 1. Which function makes them do so?",
    change={LOSSES: "ops.binary_crossentropy(ops.one_hot(labels, 2), logits, from_logits=True)"},
)
loss.mistake(
    "one_sigmoid",
    "Only the second score is used, through a sigmoid; the first is never looked at.",
    hint="The softmax of two scores looks at their difference.",
    change={LOSSES: 'ops.binary_crossentropy(ops.cast(labels, "float32"), logits[:, 1], from_logits=True)'},
)
loss.mistake(
    "squared",
    "It is the squared distance from the label, not the surprise.",
    hint="How much should it cost to give the true label the probability 0.001, rather than 0.1?",
    change={LOSSES: "ops.square(ops.softmax(logits) - ops.one_hot(labels, 2))"},
)
loss.mistake(
    "in_bits",
    "The logarithm is of base 2.",
    hint="Who does not know has a loss of log 2 = 0.6931, the natural logarithm.",
    change={MEAN: f"{MEAN} / ops.log(2.0)"},
)
loss.mistake(
    "logarithm_of_zero",
    "The probability of a sure and wrong guess is 0 in float32, and its logarithm infinite.",
    hint="log(softmax(u)) can be computed without the detour over P. See `ops.log_softmax`, or `from_logits`.",
    change={LOSSES: "-ops.log(ops.take_along_axis(ops.softmax(logits), labels[:, None], axis=-1))"},
)
loss.mistake(
    "cut_off",
    "The probabilities are cut off far above 0, so a sure and wrong guess costs too little.",
    hint="Keras keeps probabilities above 1e-7. From logits, nothing has to be cut off.",
    change={
        LOSSES: "-ops.log(ops.clip(ops.take_along_axis(ops.softmax(logits), labels[:, None], axis=-1), 1e-7, 1.0))"
    },
)
loss.mistake(
    "in_half_precision",
    "The loss is computed in the precision of the logits, here float16.",
    hint="float16 keeps three digits. Cast the logits before the softmax, not the loss after it.",
    change={IN_FLOAT32: "ops.convert_to_tensor(logits)"},
)
loss.mistake(
    "in_numpy",
    "The loss leaves the tensors for NumPy, so it cannot be compiled, and no gradient comes back.",
    hint="NumPy keeps no record of what was computed. Use `keras.ops` from the first line to the last.",
    change={IN_FLOAT32: 'ops.cast(ops.convert_to_numpy(logits), "float32")'},
)
