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
    "The sum is divided by the number of all tokens, not by that of the labelled ones.",
    hint="Ignored tokens add nothing above the line. Do they still count below it?",
    change={MEAN: f"ops.mean({COUNTED})"},
)
loss.mistake(
    "ignored_is_outside",
    "Ignored tokens count as tag 0.",
    hint="To replace -100 by 0 makes an index of it. It must not make a label of it.",
    change={MEAN: "ops.mean(losses)"},
)
loss.mistake(
    "mean_of_rows",
    "Each text counts the same, not each token: it is a mean of the means of the rows.",
    hint="A text with one labelled token now weighs as much as one with six. Sum over the batch, then divide.",
    change={
        f"return {MEAN}": f"""
            sums, numbers = ops.sum({COUNTED}, axis=-1), ops.sum(ops.cast(counts, "float32"), axis=-1)
            return ops.mean(ops.divide_no_nan(sums, numbers))
        """
    },
)
loss.mistake(
    "summed",
    "The losses are summed, not averaged.",
    hint="Twice as many texts in a batch should not double the loss.",
    change={MEAN: SUM},
)
loss.mistake(
    "outside_left_out",
    "Words that are no names do not count: a label of 0 is left out.",
    hint='0 is the id of "O", and O is to be learned. What is to be left out has another label.',
    change={f"labels = {KNOWN}": f"labels = {KNOWN}\ncounts = ops.not_equal(labels, 0)"},
)
# Keras sees a softmax that comes straight before its own loss, and passes over it. Behind a logarithm it does not.
loss.mistake(
    "softmax_twice",
    "A softmax is taken of the logits, and then another one by the loss.",
    hint="from_logits=True says that the softmax is still to come.",
    change={LOSSES: LOSSES.replace("logits,", "ops.log_softmax(ops.softmax(logits)),")},
)
loss.mistake(
    "from_probabilities",
    "The logits are taken for probabilities.",
    hint="Logits can be negative, and do not sum to 1. Look at what `from_logits` says.",
    change={LOSSES: "ops.sparse_categorical_crossentropy(labels, logits)"},
)
loss.mistake(
    "negative",
    "The sign is wrong: it is the mean of log P, which training would make as small as it can.",
    hint="log P is at most 0. A loss is at least 0, and falls as P grows.",
    change={MEAN: f"-{MEAN}"},
)
loss.mistake(
    "nan_where_nothing",
    "Where no token is labelled, 0 is divided by 0, and the loss is NaN.",
    hint="One NaN ends a training. What does `ops.divide_no_nan` do?",
    change={MEAN: f"{SUM} / {COUNT}"},
)
loss.mistake(
    "in_half_precision",
    "The loss is computed in the precision of the logits, here float16.",
    hint="float16 keeps three digits. Cast the logits before the softmax, not the loss after it.",
    change={IN_FLOAT32: "ops.convert_to_tensor(logits)", COUNT: "ops.sum(ops.cast(counts, losses.dtype))"},
)
loss.mistake(
    "cast_after_softmax",
    "The softmax is taken in float16, and only what comes of it is cast to float32.",
    hint="What float16 has rounded away does not come back. Where stands the cast, before or behind the softmax?",
    change={
        IN_FLOAT32: 'ops.cast(ops.log_softmax(ops.convert_to_tensor(logits)), "float32")',
        LOSSES: '-ops.take_along_axis(logits, ops.cast(labels, "int32")[..., None], axis=-1)[..., 0]',
    },
)
loss.mistake(
    "always_minus_100",
    "`ignore` is not looked at: -100 is what does not count, whatever was asked for.",
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
    "The loss leaves the tensors for NumPy, so it cannot be compiled, and no gradient comes back.",
    hint="NumPy keeps no record of what was computed. Use `keras.ops` from the first line to the last.",
    change={IN_FLOAT32: 'ops.cast(ops.convert_to_numpy(logits), "float32")'},
)
