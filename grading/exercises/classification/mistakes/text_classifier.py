"""Known mistakes in TextClassifier."""

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
    "The projection has an activation, so logits cannot be any number.",
    hint="With relu, no class can get a negative logit, and most gradients are lost.",
    change={LOGITS: f"ops.relu({LOGITS})"},
)
classifier.mistake(
    "BeforeThePooler",
    "The output of [CLS] is used before the pooler instead of the pooled output.",
    hint="The encoder returns a dictionary. Which of its values has been through the pooler?",
    change={OUTPUT: 'outputs["sequence_output"][:, 0]'},
)
classifier.mistake(
    "MeanOfTokens",
    "The mean of all tokens is used instead of the pooled output.",
    hint="Which token stands for the whole text in BERT, and through which layer does it go?",
    change={OUTPUT: 'ops.mean(outputs["sequence_output"], axis=1)'},
)
classifier.mistake(
    "LastToken",
    "The last token is used instead of the pooled output.",
    hint="Models that read from left to right sum up the text in the last token. Which output of BERT does that?",
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
    "padding_mask does not reach the encoder, so a text's logits depend on the rest of its batch.",
    hint="Texts are padded to the longest of their batch. How does the encoder know what is padding?",
    change=wrong.MASK_FORGOTTEN,
)
classifier.mistake(**wrong.INPUTS_BY_PLACE)
# This version assumes that there is always a mask.
classifier.mistake(
    **wrong.MASK_INVERTED | {"change": {wrong.MASK: 'ops.logical_not(ops.cast(inputs["padding_mask"], "bool"))'}}
)
classifier.mistake(**wrong.MASK_OF_ONES)
classifier.mistake(**wrong.MASK_OF_ZEROS)
classifier.mistake(
    "SegmentsForgotten",
    "segment_ids do not reach the encoder, so it cannot distinguish title and text.",
    hint="The inputs are three arrays. Which one do you never use?",
    change=wrong.SEGMENTS_FORGOTTEN,
)
classifier.mistake(
    "ArgumentsExchanged",
    "padding_mask and segment_ids are swapped.",
    hint="In which order does the encoder take its arguments? Names are safer than positions.",
    change={wrong.SEGMENTS: 'ops.cast(inputs["padding_mask"], "int32")', wrong.MASK: 'inputs["segment_ids"]'},
)
classifier.mistake(**wrong.NEVER_DROPPING)
classifier.mistake(**wrong.ENCODER_NEVER_DROPPING)
classifier.mistake(**wrong.ENCODER_NOT_BUILT)
classifier.mistake(**wrong.ENCODER_BUILT_AGAIN)
classifier.mistake(**wrong.ALWAYS_DROPPING)
classifier.mistake(
    "LogitsDropped",
    "Dropout is applied to the logits instead of the features.",
    hint="A class whose logit is dropped gets 0. Should dropout come before the projection or after it?",
    change={**wrong.UNDROPPED, LOGITS: f"self.dropout_layer({LOGITS})"},
)
classifier.mistake(
    "OneClassMore",
    "There is one logit more than there are classes.",
    hint="Class ids run from 0 to num_classes - 1. How many are these?",
    change={"projection(self.num_classes": "projection(self.num_classes + 1"},
)
classifier.mistake(
    "NoBias",
    "The projection has no bias.",
    hint="logits = pooled W + b. Which argument of Dense removes the b?",
    change=wrong.NO_BIAS,
)
classifier.mistake(
    "HiddenLayer",
    "There is a hidden layer before the projection.",
    hint="The pooler is one already. How many matrices come after it in the equation?",
    change=wrong.HIDDEN_LAYER,
)
classifier.mistake(
    "ClassesReturned",
    "The classes are returned instead of their logits.",
    hint="argmax has no gradient, so nothing could be learned. It belongs in the evaluation.",
    change={LOGITS: f"ops.argmax({LOGITS}, axis=-1)"},
)
