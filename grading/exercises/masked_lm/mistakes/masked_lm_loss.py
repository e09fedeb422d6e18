"""What goes wrong in masked_lm_loss."""

from __future__ import annotations

from grading.exercises.masked_lm.checks import loss

LOSSES = "ops.sparse_categorical_crossentropy(labels, logits, from_logits=True)"
MEAN = "ops.divide_no_nan(ops.sum(weights * losses), ops.sum(weights))"
WEIGHTS_IN_FLOAT32 = 'ops.cast(weights, "float32")'
LOGITS_IN_FLOAT32 = 'ops.cast(logits, "float32")'

loss.mistake(
    "weights_ignored",
    "The weights are ignored: every position counts.",
    hint="Where no word was masked, the answer was in plain sight. Which argument says where that is?",
    change={MEAN: "ops.mean(losses)"},
)
loss.mistake(
    "mean_over_all",
    "The sum is divided by the number of all positions, not by the number of masked words.",
    hint="Positions of weight 0 add nothing above the line. Do they still count below it?",
    change={MEAN: "ops.mean(weights * losses)"},
)
loss.mistake(
    "averaged_first",
    "The losses are averaged first and weighted after, so the weights choose nothing.",
    hint="Once there is one number, it is too late to say which words count. Multiply each word's loss by its weight.",
    change={MEAN: "ops.mean(weights * ops.mean(losses))"},
)
loss.mistake(
    "mean_of_rows",
    "Each text counts the same, not each word: it is a mean of the means of the rows.",
    hint="A row with one masked word now weighs as much as a row with four. Sum over the batch, then divide.",
    change={MEAN: "ops.mean(ops.divide_no_nan(ops.sum(weights * losses, axis=-1), ops.sum(weights, axis=-1)))"},
)
loss.mistake(
    "summed",
    "The losses are summed, not averaged.",
    hint="Twice as many texts in a batch should not double the loss.",
    change={MEAN: "ops.sum(weights * losses)"},
)
loss.mistake(
    "softmax_twice",
    "A softmax is taken of the logits, and then another one by the loss.",
    hint="from_logits=True says that the softmax is still to come.",
    # Keras sees a softmax that comes straight before its own loss, and passes over it. Here it cannot.
    change={LOSSES: "-ops.take_along_axis(ops.log_softmax(ops.softmax(logits)), labels[..., None], axis=-1)[..., 0]"},
)
loss.mistake(
    "from_probabilities",
    "The logits are taken for probabilities.",
    hint="Logits can be negative, and do not sum to 1. Look at what `from_logits` says.",
    change={", from_logits=True": ""},
)
loss.mistake(
    "negative",
    "The sign is wrong: it is the mean of log P, which training would make as small as it can.",
    hint="log P is at most 0. A loss is at least 0, and falls as P grows.",
    change={MEAN: f"-{MEAN}"},
)
loss.mistake(
    "no_logarithm",
    "It is the mean of 1 - P, not of -log P.",
    hint="How much should it cost to give the right word the probability 0.01, rather than 0.1?",
    change={LOSSES: f"1.0 - ops.exp(-{LOSSES})"},
)
loss.mistake(
    "nan_where_nothing",
    "Where no word is masked, 0 is divided by 0, and the loss is NaN.",
    hint="A batch without a masked word is rare, but one NaN ends a training. What does `ops.divide_no_nan` do?",
    change={MEAN: "ops.sum(weights * losses) / ops.sum(weights)"},
)
loss.mistake(
    "nan_backwards",
    "Where no word is masked, the loss is 0, but its gradient is NaN: the division by 0 is hidden, and not avoided.",
    hint="Backwards, 0 times infinity is NaN, whatever `where` makes of the result. Divide by something that is not 0.",
    change={MEAN: "ops.where(ops.sum(weights) > 0, ops.sum(weights * losses) / ops.sum(weights), 0.0)"},
)
loss.mistake(
    "label_zero_left_out",
    "A masked word whose id is 0 does not count, as if it were padding.",
    hint="The weights alone say what counts. A label is a word, whatever its number is.",
    change={WEIGHTS_IN_FLOAT32: f'{WEIGHTS_IN_FLOAT32} * ops.cast(ops.not_equal(labels, 0), "float32")'},
)
loss.mistake(
    "in_half_precision",
    "The loss is computed in the precision of the logits, here float16.",
    hint="float16 keeps three digits. Cast the logits before the softmax, not the loss after it.",
    change={WEIGHTS_IN_FLOAT32: "ops.cast(weights, logits.dtype)", LOGITS_IN_FLOAT32: "ops.convert_to_tensor(logits)"},
)
loss.mistake(
    "in_numpy",
    "The loss leaves the tensors for NumPy, so it cannot be compiled, and no gradient comes back.",
    hint="NumPy keeps no record of what was computed. Use `keras.ops` from the first line to the last.",
    change={LOGITS_IN_FLOAT32: 'ops.cast(ops.convert_to_numpy(logits), "float32")'},
)
