"""What goes wrong in PairClassifier."""

from __future__ import annotations

from grading.exercises import classifier_mistakes as wrong
from grading.exercises.matching.checks import classifier

OUTPUT = 'outputs["pooled_output"]'
COLUMN = "self.logit_dense(pooled)"
LOGITS = f"ops.squeeze({COLUMN}, axis=-1)"

classifier.mistake(
    "Probability",
    "A sigmoid is applied, so probabilities are returned instead of logits.",
    hint="The loss contains a sigmoid, and calibration needs logits, too.",
    change={LOGITS: f"ops.sigmoid({LOGITS})"},
)
classifier.mistake(
    "ColumnOfLogits",
    "The result is (batch, 1) instead of one number per row, (batch,).",
    hint="With labels of (batch,), (batch, 1) broadcasts to a table of all rows with all labels. Which axis is extra?",
    change={LOGITS: COLUMN},
)
classifier.mistake(
    "TwoLogits",
    "There are two logits, one per answer, as with classes.",
    hint="With a sigmoid, one number is enough: the logit of the other answer is 0.",
    change={"projection(1": "projection(2", LOGITS: COLUMN},
)
classifier.mistake(
    "Decided",
    "The logits are rounded to the answers 0 and 1.",
    hint="A decision has no gradient, and allows no other threshold.",
    change={LOGITS: f'ops.cast({LOGITS} > 0, "float32")'},
)
classifier.mistake(
    "FirstToken",
    "The head reads the last block's output for [CLS], which has not gone through the pooler.",
    hint="The encoder returns two outputs. Which one has gone through one more layer?",
    change={OUTPUT: 'outputs["sequence_output"][:, 0]'},
)
classifier.mistake(
    "MeanOfTokens",
    "The head reads the mean over all tokens instead of the pooled output.",
    hint="A cross-encoder reads its answer from [CLS]. Means are for texts that are encoded separately.",
    change={OUTPUT: 'ops.mean(outputs["sequence_output"], axis=1)'},
)
classifier.mistake(
    "SegmentsForgotten",
    "segment_ids do not reach the encoder, so query, title and body look like one text.",
    hint="The inputs are three arrays. Which one do you not use?",
    change=wrong.SEGMENTS_FORGOTTEN,
)
classifier.mistake(
    "SegmentsCut",
    "Segments above 1 are replaced by 1.",
    hint="A row has as many segments as texts. Two were enough in chapter 6.",
    change={wrong.SEGMENTS: 'ops.minimum(inputs["segment_ids"], 1) if "segment_ids" in inputs else None'},
)
classifier.mistake(
    "MaskForgotten",
    "padding_mask does not reach the encoder, so a score depends on the padding after the texts.",
    hint="A row is padded to the longest of its batch. Which argument tells the encoder what is padding?",
    change=wrong.MASK_FORGOTTEN,
)
classifier.mistake(**wrong.INPUTS_BY_PLACE)
classifier.mistake(**wrong.MASK_INVERTED)
classifier.mistake(**wrong.MASK_OF_ONES)
classifier.mistake(**wrong.MASK_OF_ZEROS)
classifier.mistake(**wrong.NEVER_DROPPING)
classifier.mistake(**wrong.ENCODER_NEVER_DROPPING)
classifier.mistake(**wrong.ENCODER_NOT_BUILT)
classifier.mistake(**wrong.ENCODER_BUILT_AGAIN)
classifier.mistake(**wrong.ALWAYS_DROPPING)
classifier.mistake(
    "LogitsDropped",
    "Dropout is applied to the logit instead of the features.",
    hint="A row whose logit is dropped gets 0. Dropout belongs before the projection.",
    change={**wrong.UNDROPPED, LOGITS: f"self.dropout_layer({LOGITS})"},
)
classifier.mistake(
    "NoBias",
    "The projection has no bias.",
    hint="logit = features · w + b. Which argument of Dense removes the b?",
    change=wrong.NO_BIAS,
)
classifier.mistake(
    "HiddenLayer",
    "There is a hidden layer before the projection.",
    hint="The pooler is already one. The head is a single vector.",
    change=wrong.HIDDEN_LAYER,
)
classifier.mistake(
    "Centred",
    "The logits are centred on the batch, so a score depends on the other rows.",
    hint="Each row is judged separately. The rest of the batch must not matter.",
    change={f"return {LOGITS}": f"logits = {LOGITS}\nreturn logits - ops.mean(logits)"},
)
classifier.mistake(
    "SqueezedAll",
    "All axes of size 1 are squeezed, so a batch of one row loses its axis.",
    hint="`ops.squeeze` without an axis removes every axis of size 1. Which one do you mean?",
    change={LOGITS: f"ops.squeeze({COLUMN})"},
)
