"""Known mistakes in next_sentence_loss."""

from __future__ import annotations

from grading.exercises.next_sentence.checks import loss

IN_FLOAT32 = 'ops.cast(logits, "float32")'
LOSSES = "ops.sparse_categorical_crossentropy(labels, logits, from_logits=True)"
MEAN = f"ops.mean({LOSSES})"

loss.mistake(
    "summed",
    "The losses are summed instead of averaged.",
    hint="Twice as many pairs in a batch should not double the loss.",
    change={MEAN: f"ops.sum({LOSSES})"},
)
loss.mistake(
    "not_averaged",
    "The losses of all pairs are returned instead of their mean.",
    hint="How many numbers does training need?",
    change={MEAN: LOSSES},
)
loss.mistake(
    "softmax_twice",
    "A softmax is applied to the logits, and the loss applies another one.",
    hint="What does from_logits=True tell the loss about the softmax?",
    # Keras skips a softmax that comes directly before its own loss. It cannot skip this one.
    change={LOSSES: "-ops.take_along_axis(ops.log_softmax(ops.softmax(logits)), labels[:, None], axis=-1)"},
)
loss.mistake(
    "from_probabilities",
    "The logits are treated as probabilities.",
    hint="Logits can be negative, and do not sum to 1. What does `from_logits` tell the loss?",
    change={", from_logits=True": ""},
)
loss.mistake(
    "labels_swapped",
    "The labels are swapped: 1 counts as a real pair.",
    hint="In the published weights, 0 is a real pair, and its score is column 0.",
    change={"crossentropy(labels": "crossentropy(1 - labels"},
)
loss.mistake(
    "negative",
    "The sign is wrong: the loss is the mean of log P, and training would make P as small as possible.",
    hint="log P is at most 0. A loss is at least 0, and falls as P grows.",
    change={MEAN: f"-{MEAN}"},
)
loss.mistake(
    "two_sigmoids",
    "Each score goes through its own sigmoid, as if a pair could be both real and random.",
    hint="One of the two labels is true, so their probabilities sum to 1. Which function makes them do so?",
    change={LOSSES: "ops.binary_crossentropy(ops.one_hot(labels, 2), logits, from_logits=True)"},
)
loss.mistake(
    "one_sigmoid",
    "Only the second score is used, through a sigmoid; the first is ignored.",
    hint="A softmax of two scores depends on their difference. Where do you use the first score?",
    change={LOSSES: 'ops.binary_crossentropy(ops.cast(labels, "float32"), logits[:, 1], from_logits=True)'},
)
loss.mistake(
    "squared",
    "The loss is the squared distance from the label instead of -log P.",
    hint="How much should it cost to give the true label the probability 0.001, rather than 0.1?",
    change={LOSSES: "ops.square(ops.softmax(logits) - ops.one_hot(labels, 2))"},
)
loss.mistake(
    "in_bits",
    "The logarithm has base 2.",
    hint="With equal scores, the loss is log 2 = 0.6931. Which logarithm gives that?",
    change={MEAN: f"{MEAN} / ops.log(2.0)"},
)
loss.mistake(
    "logarithm_of_zero",
    "The probability is computed first: for a certain and wrong guess it is 0 in float32, and its logarithm infinite.",
    hint="log(softmax(u)) can be computed without computing P. See `ops.log_softmax`, or `from_logits`.",
    change={LOSSES: "-ops.log(ops.take_along_axis(ops.softmax(logits), labels[:, None], axis=-1))"},
)
loss.mistake(
    "cut_off",
    "The probabilities are clipped far above 0, so a certain and wrong guess costs too little.",
    hint="Keras clips probabilities at 1e-7. From what can the loss be computed without any clipping?",
    change={
        LOSSES: "-ops.log(ops.clip(ops.take_along_axis(ops.softmax(logits), labels[:, None], axis=-1), 1e-7, 1.0))"
    },
)
loss.mistake(
    "in_half_precision",
    "The loss is computed in the dtype of the logits, here float16.",
    hint="float16 has three digits. Must you cast to float32 before the softmax, or is it enough to cast the loss?",
    change={IN_FLOAT32: "ops.convert_to_tensor(logits)"},
)
loss.mistake(
    "in_numpy",
    "The loss is computed in NumPy, so it cannot be compiled and has no gradient.",
    hint="NumPy does not record operations for the gradient. Which line leaves `keras.ops`?",
    change={IN_FLOAT32: 'ops.cast(ops.convert_to_numpy(logits), "float32")'},
)
loss.mistake(
    "infinity_times_zero",
    "The gradient is NaN for certain guesses: `where` hides an infinity in the loss, but not in its gradient.",
    hint="The gradient passes through both branches of `where`, and 0 · ∞ is NaN. Which function never overflows?",
    change={
        f"return {MEAN}": """
            margins = (logits[:, 1] - logits[:, 0]) * (1 - 2 * ops.cast(labels, "float32"))
            return ops.mean(ops.where(margins > 30, margins, ops.log(1 + ops.exp(margins))))
        """
    },
)
