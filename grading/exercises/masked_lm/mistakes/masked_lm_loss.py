"""Known mistakes in masked_lm_loss."""

from __future__ import annotations

from grading.exercises.masked_lm.checks import loss

LOSSES = "ops.sparse_categorical_crossentropy(labels, logits, from_logits=True)"
MEAN = "ops.divide_no_nan(ops.sum(weights * losses), ops.sum(weights))"
WEIGHTS_IN_FLOAT32 = 'ops.cast(weights, "float32")'
LOGITS_IN_FLOAT32 = 'ops.cast(logits, "float32")'

loss.mistake(
    "weights_ignored",
    "The weights are ignored: every position counts.",
    hint="At a position without a masked word, the answer is in plain sight. Which argument marks these positions?",
    change={MEAN: "ops.mean(losses)"},
)
loss.mistake(
    "mean_over_all",
    "The sum is divided by the number of all positions instead of the number of masked words.",
    hint="Positions of weight 0 add nothing to the sum. Do they still count in the number that you divide by?",
    change={MEAN: "ops.mean(weights * losses)"},
)
loss.mistake(
    "averaged_first",
    "The losses are averaged first and weighted afterwards, so the weights select nothing.",
    hint="After the mean, it is too late to say which words count. When must the weights come in?",
    change={MEAN: "ops.mean(weights * ops.mean(losses))"},
)
loss.mistake(
    "mean_of_rows",
    "The loss is the mean of the rows' means, so each text counts the same, and not each word.",
    hint="A row with one masked word now weighs as much as a row with four. Which axes should you sum before dividing?",
    change={MEAN: "ops.mean(ops.divide_no_nan(ops.sum(weights * losses, axis=-1), ops.sum(weights, axis=-1)))"},
)
loss.mistake(
    "summed",
    "The losses are summed instead of averaged.",
    hint="Twice as many texts in a batch should not double the loss.",
    change={MEAN: "ops.sum(weights * losses)"},
)
loss.mistake(
    "softmax_twice",
    "A softmax is applied to the logits, and the loss applies another one.",
    hint="What does from_logits=True tell the loss about the softmax?",
    # Keras skips a softmax that comes directly before its own loss. It cannot skip this one.
    change={LOSSES: "-ops.take_along_axis(ops.log_softmax(ops.softmax(logits)), labels[..., None], axis=-1)[..., 0]"},
)
loss.mistake(
    "from_probabilities",
    "The logits are treated as probabilities.",
    hint="Logits can be negative, and do not sum to 1. What does `from_logits` tell the loss?",
    change={", from_logits=True": ""},
)
loss.mistake(
    "negative",
    "The sign is wrong: the loss is the mean of log P, and training would make P as small as possible.",
    hint="log P is at most 0. A loss is at least 0, and falls as P grows.",
    change={MEAN: f"-{MEAN}"},
)
loss.mistake(
    "no_logarithm",
    "The loss is the mean of 1 - P instead of -log P.",
    hint="How much should it cost to give the right word the probability 0.01, rather than 0.1?",
    change={LOSSES: f"1.0 - ops.exp(-{LOSSES})"},
)
loss.mistake(
    "nan_where_nothing",
    "If no word is masked, 0 is divided by 0, and the loss is NaN.",
    hint="A batch without a masked word is rare, but one NaN ends a training. What does `ops.divide_no_nan` do?",
    change={MEAN: "ops.sum(weights * losses) / ops.sum(weights)"},
)
loss.mistake(
    "nan_backwards",
    "If no word is masked, the loss is 0 but its gradient is NaN: the division by 0 is hidden, not avoided.",
    hint="In the gradient, 0 times infinity is NaN, whatever `where` selects. How can you avoid dividing by 0 at all?",
    change={MEAN: "ops.where(ops.sum(weights) > 0, ops.sum(weights * losses) / ops.sum(weights), 0.0)"},
)
loss.mistake(
    "label_zero_left_out",
    "A masked word whose id is 0 does not count, as if it were padding.",
    hint="Only the weights decide what counts. Which line looks at the number of a label?",
    change={WEIGHTS_IN_FLOAT32: f'{WEIGHTS_IN_FLOAT32} * ops.cast(ops.not_equal(labels, 0), "float32")'},
)
loss.mistake(
    "in_half_precision",
    "The loss is computed in the dtype of the logits, here float16.",
    hint="float16 has three digits. Must you cast to float32 before the softmax, or is it enough to cast the loss?",
    change={WEIGHTS_IN_FLOAT32: "ops.cast(weights, logits.dtype)", LOGITS_IN_FLOAT32: "ops.convert_to_tensor(logits)"},
)
loss.mistake(
    "in_numpy",
    "The loss is computed in NumPy, so it cannot be compiled and has no gradient.",
    hint="NumPy does not record operations for the gradient. Which line leaves `keras.ops`?",
    change={LOGITS_IN_FLOAT32: 'ops.cast(ops.convert_to_numpy(logits), "float32")'},
)
loss.mistake(
    "in_two_dtypes",
    "Weights in float64 meet losses in float32, and TensorFlow does not multiply these.",
    hint="NumPy's numbers are float64. What must happen to the weights before they are multiplied?",
    change={
        WEIGHTS_IN_FLOAT32: "ops.convert_to_tensor(weights)",
        f"return {MEAN}": "import tensorflow as tf\n"
        "return tf.math.divide_no_nan(tf.reduce_sum(tf.multiply(weights, losses)), tf.reduce_sum(weights))",
    },
)
loss.mistake(
    "centred",
    "The mean of the logits is subtracted first, and their sum overflows at a position that does not count.",
    hint="Subtracting a number from all logits changes no probability. What is the sum of several logits of 1e38?",
    change={LOSSES: LOSSES.replace("logits, ", "logits - ops.mean(logits, axis=-1, keepdims=True), ")},
)
