"""What goes wrong in PairClassifier."""

from __future__ import annotations

from grading.exercises import classifier_mistakes as wrong
from grading.exercises.matching.checks import classifier

OUTPUT = 'outputs["pooled_output"]'
COLUMN = "self.logit_dense(pooled)"
LOGITS = f"ops.squeeze({COLUMN}, axis=-1)"

classifier.mistake(
    "Probability",
    "A sigmoid is applied: probabilities are returned instead of logits.",
    hint="The loss has a sigmoid of its own, and calibration needs logits, too.",
    change={LOGITS: f"ops.sigmoid({LOGITS})"},
)
classifier.mistake(
    "ColumnOfLogits",
    "The answer is (batch, 1); one number is wanted for each row, (batch,).",
    hint="Beside labels of (batch,), (batch, 1) makes a table of all rows with all labels. Which axis is too many?",
    change={LOGITS: COLUMN},
)
classifier.mistake(
    "TwoLogits",
    "There are two logits, one for each answer, as for classes.",
    hint="With a sigmoid, one number is enough: the logit of the other answer is 0.",
    change={"projection(1": "projection(2", LOGITS: COLUMN},
)
classifier.mistake(
    "Decided",
    "The logits are rounded to answers, 0 and 1.",
    hint="A decision has no gradient, and nobody could choose another threshold.",
    change={LOGITS: f'ops.cast({LOGITS} > 0, "float32")'},
)
classifier.mistake(
    "FirstToken",
    "What the last block says of [CLS] is taken, without the pooler.",
    hint='The encoder returns two outputs. "pooled_output" has gone through one layer more.',
    change={OUTPUT: 'outputs["sequence_output"][:, 0]'},
)
classifier.mistake(
    "MeanOfTokens",
    "The mean over all tokens is taken instead of the pooled output.",
    hint="A cross-encoder reads its answer from [CLS]. Means are for texts that are read apart.",
    change={OUTPUT: 'ops.mean(outputs["sequence_output"], axis=1)'},
)
classifier.mistake(
    "SegmentsForgotten",
    "segment_ids do not reach the encoder: query, title and body are one text to it.",
    hint="The inputs are three arrays. Which of them is never used?",
    change=wrong.SEGMENTS_FORGOTTEN,
)
classifier.mistake(
    "SegmentsCut",
    "Segments above 1 are taken for 1.",
    hint="There are as many segments as texts in the row. Two were enough for chapter 6.",
    change={wrong.SEGMENTS: 'ops.minimum(inputs["segment_ids"], 1) if "segment_ids" in inputs else None'},
)
classifier.mistake(
    "MaskForgotten",
    "padding_mask does not reach the encoder: a score depends on how much padding stands behind the texts.",
    hint="A row is padded to the longest of its batch. Who tells the encoder what is padding?",
    change=wrong.MASK_FORGOTTEN,
)
classifier.mistake(**wrong.INPUTS_BY_PLACE)
classifier.mistake(**wrong.MASK_INVERTED)
classifier.mistake(**wrong.NEVER_DROPPING)
classifier.mistake(**wrong.ALWAYS_DROPPING)
classifier.mistake(
    "LogitsDropped",
    "The logit is dropped instead of the features.",
    hint="A row whose logit is dropped gets 0. What should be dropped comes before the projection.",
    change={**wrong.UNDROPPED, LOGITS: f"self.dropout_layer({LOGITS})"},
)
classifier.mistake(
    "NoBias",
    "The projection has no bias.",
    hint="logit = features · w + b. Which argument of Dense takes the b away?",
    change=wrong.NO_BIAS,
)
classifier.mistake(
    "HiddenLayer",
    "There is a hidden layer before the projection.",
    hint="The pooler is one already. What stands above it is a single vector.",
    change=wrong.HIDDEN_LAYER,
)
classifier.mistake(
    "Centred",
    "The logit is compared with those of the batch: a score depends on its neighbours.",
    hint="Each row is judged for itself. What a batch has in common must not matter.",
    change={f"return {LOGITS}": f"logits = {LOGITS}\nreturn logits - ops.mean(logits)"},
)
classifier.mistake(
    "SqueezedAll",
    "All axes of length 1 are squeezed, so a batch of one row has no axis left.",
    hint="`ops.squeeze` without an axis takes all that it finds. Which one is meant?",
    change={LOGITS: f"ops.squeeze({COLUMN})"},
)
