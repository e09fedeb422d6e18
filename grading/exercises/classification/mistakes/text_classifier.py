"""What goes wrong in TextClassifier."""

from __future__ import annotations

from grading.exercises import classifier_mistakes as wrong
from grading.exercises.classification.checks import classifier

OUTPUT = 'outputs["pooled_output"]'
LOGITS = "self.logits_dense(pooled)"

classifier.mistake(
    "Probabilities",
    "A softmax is applied: the classifier returns probabilities instead of logits.",
    hint="The loss has a softmax of its own. What would two of them do to the differences?",
    change={LOGITS: f"ops.softmax({LOGITS}, axis=-1)"},
)
classifier.mistake(
    "Activated",
    "The projection has an activation; logits are any numbers.",
    hint="With relu, no class can get a negative logit, and most gradients are lost.",
    change={LOGITS: f"ops.relu({LOGITS})"},
)
classifier.mistake(
    "BeforeThePooler",
    "The vector of [CLS] is taken before the pooler, not the pooled output.",
    hint="The encoder returns a dictionary. Which of its values has been through the pooler?",
    change={OUTPUT: 'outputs["sequence_output"][:, 0]'},
)
classifier.mistake(
    "MeanOfTokens",
    "The mean of all tokens is taken instead of the pooled output.",
    hint="It is [CLS] that speaks for the whole text here, through the pooler.",
    change={OUTPUT: 'ops.mean(outputs["sequence_output"], axis=1)'},
)
classifier.mistake(
    "LastToken",
    "The last token is taken instead of the pooled output.",
    hint="Models that read from left to right end with what they know. Where does BERT keep it?",
    change={OUTPUT: 'outputs["sequence_output"][:, -1]'},
)
classifier.mistake(
    "EveryToken",
    "Every token is classified: the logits are (batch, length, num_classes).",
    hint="One text, one answer. Which output of the encoder is (batch, hidden_dim)?",
    change={OUTPUT: 'outputs["sequence_output"]'},
)
classifier.mistake(
    "MaskForgotten",
    "padding_mask does not reach the encoder: the answer depends on the neighbours in the batch.",
    hint="A text is padded to the longest of its batch. Who tells the encoder what is padding?",
    change=wrong.MASK_FORGOTTEN,
)
classifier.mistake(**wrong.INPUTS_BY_PLACE)
# Here as if there were always a mask.
classifier.mistake(
    **wrong.MASK_INVERTED | {"change": {wrong.MASK: 'ops.logical_not(ops.cast(inputs["padding_mask"], "bool"))'}}
)
classifier.mistake(
    "SegmentsForgotten",
    "segment_ids do not reach the encoder: title and text are one.",
    hint="The inputs are three arrays. Which of them is never used?",
    change=wrong.SEGMENTS_FORGOTTEN,
)
classifier.mistake(
    "ArgumentsExchanged",
    "padding_mask and segment_ids are exchanged.",
    hint="In which order does the encoder take its arguments? Names are safer than places.",
    change={wrong.SEGMENTS: 'ops.cast(inputs["padding_mask"], "int32")', wrong.MASK: 'inputs["segment_ids"]'},
)
classifier.mistake(**wrong.NEVER_DROPPING)
classifier.mistake(**wrong.ALWAYS_DROPPING)
classifier.mistake(
    "LogitsDropped",
    "The logits are dropped instead of the features.",
    hint="A class whose logit is dropped gets 0. What should be dropped comes before the projection.",
    change={**wrong.UNDROPPED, LOGITS: f"self.dropout_layer({LOGITS})"},
)
classifier.mistake(
    "OneClassMore",
    "There is a logit too many: one more than there are classes.",
    hint="Class ids run from 0 to num_classes - 1. Were labels from 1 to 4 the reason?",
    change={"projection(self.num_classes": "projection(self.num_classes + 1"},
)
classifier.mistake(
    "NoBias",
    "The projection has no bias.",
    hint="logits = pooled W + b. Which argument of Dense takes the b away?",
    change=wrong.NO_BIAS,
)
classifier.mistake(
    "HiddenLayer",
    "There is a hidden layer before the projection.",
    hint="The pooler is one already. What stands above is a single matrix.",
    change=wrong.HIDDEN_LAYER,
)
classifier.mistake(
    "ClassesReturned",
    "The classes are returned instead of their logits.",
    hint="argmax has no gradient, so nothing could be learned. It comes in the evaluation.",
    change={LOGITS: f"ops.argmax({LOGITS}, axis=-1)"},
)
