"""What goes wrong in token_loss."""

from __future__ import annotations

from grading.exercises.entities.checks import loss

IN_FLOAT32 = 'ops.cast(logits, "float32")'
COUNTS = "ops.not_equal(labels, ignore)"
KNOWN = "ops.where(counts, labels, 0)"
LOSSES = "ops.sparse_categorical_crossentropy(labels, logits, from_logits=True)"
COUNTED = "ops.where(counts, losses, 0.0)"
SUM, COUNT = f"ops.sum({COUNTED})", 'ops.sum(ops.cast(counts, "float32"))'
MEAN = f"ops.divide_no_nan({SUM}, {COUNT})"

loss.mistake(
    "mean_over_all",
    "The sum is divided by the number of all tokens instead of the labelled ones.",
    hint="Ignored tokens add nothing to the numerator. Should the denominator count them?",
    change={MEAN: f"ops.mean({COUNTED})"},
)
loss.mistake(
    "ignored_is_outside",
    "Ignored tokens count as tag 0.",
    hint="Replacing -100 by 0 gives a valid index. It must not become a label.",
    change={MEAN: "ops.mean(losses)"},
)
loss.mistake(
    "mean_of_rows",
    "The loss is a mean of row means, so each text counts the same instead of each token.",
    hint="A text with one labelled token then weighs as much as one with six. Sum over the batch, then divide.",
    change={
        f"return {MEAN}": f"""
            sums, numbers = ops.sum({COUNTED}, axis=-1), ops.sum(ops.cast(counts, "float32"), axis=-1)
            return ops.mean(ops.divide_no_nan(sums, numbers))
        """
    },
)
loss.mistake(
    "summed",
    "The losses are summed instead of averaged.",
    hint="Twice as many texts in a batch should not double the loss.",
    change={MEAN: SUM},
)
loss.mistake(
    "outside_left_out",
    "Words outside names do not count: the label 0 is skipped.",
    hint='0 is the id of "O", and the model must learn O. Which label means "skip"?',
    change={f"labels = {KNOWN}": f"labels = {KNOWN}\ncounts = ops.not_equal(labels, 0)"},
)
# Keras skips a softmax directly before its own loss. With a logarithm in between, it does not.
loss.mistake(
    "softmax_twice",
    "The softmax is applied to the logits, and the loss applies another one.",
    hint="What does from_logits=True tell the loss about the softmax?",
    change={LOSSES: LOSSES.replace("logits,", "ops.log_softmax(ops.softmax(logits)),")},
)
loss.mistake(
    "from_probabilities",
    "The loss treats the logits as probabilities.",
    hint="Logits can be negative, and do not sum to 1. What does `from_logits` say?",
    change={LOSSES: "ops.sparse_categorical_crossentropy(labels, logits)"},
)
loss.mistake(
    "negative",
    "The sign is wrong: the loss is the mean of log P, and training would push P towards 0.",
    hint="log P is at most 0. A loss is at least 0, and falls as P grows.",
    change={MEAN: f"-{MEAN}"},
)
loss.mistake(
    "nan_where_nothing",
    "If no token is labelled, the loss is 0 / 0, which is NaN.",
    hint="A single NaN ruins a training run. What does `ops.divide_no_nan` do?",
    change={MEAN: f"{SUM} / {COUNT}"},
)
loss.mistake(
    "in_half_precision",
    "The loss is computed in the precision of the logits, here float16.",
    hint="float16 keeps three digits. Cast the logits before the softmax, not the loss after it.",
    change={IN_FLOAT32: "ops.convert_to_tensor(logits)", COUNT: "ops.sum(ops.cast(counts, losses.dtype))"},
)
loss.mistake(
    "counted_in_half_precision",
    "The labelled tokens are counted in the dtype of the logits: float16 has no number above 65,504.",
    hint="The losses are in float32. In which dtype is their number?",
    change={
        IN_FLOAT32: "ops.convert_to_tensor(logits)",
        LOSSES: LOSSES.replace("logits,", 'ops.cast(logits, "float32"),'),
        COUNT: 'ops.cast(ops.sum(ops.cast(counts, logits.dtype)), "float32")',
    },
)
loss.mistake(
    "cast_after_softmax",
    "The softmax runs in float16, and only its result is cast to float32.",
    hint="Digits lost in float16 do not come back. Is the cast before or after the softmax?",
    change={
        IN_FLOAT32: 'ops.cast(ops.log_softmax(ops.convert_to_tensor(logits)), "float32")',
        LOSSES: '-ops.take_along_axis(logits, ops.cast(labels, "int32")[..., None], axis=-1)[..., 0]',
    },
)
loss.mistake(
    "always_minus_100",
    "`ignore` is not used: the loss always skips -100.",
    hint="`ignore` is an argument.",
    change={COUNTS: "ops.not_equal(labels, -100)", KNOWN: "ops.maximum(labels, 0)"},
)
loss.mistake(
    "first_tokens",
    "Only the first token of each text counts.",
    hint="The mean is over all tokens that have a label, wherever they stand.",
    change={
        f"ops.convert_to_tensor(labels), {IN_FLOAT32}": f"ops.convert_to_tensor(labels)[:, :1], {IN_FLOAT32}[:, :1]"
    },
)
loss.mistake(
    "in_numpy",
    "The loss leaves the tensors for NumPy, so it cannot be compiled and has no gradient.",
    hint="NumPy does not track gradients. Use `keras.ops` from the first line to the last.",
    change={IN_FLOAT32: 'ops.cast(ops.convert_to_numpy(logits), "float32")'},
)
