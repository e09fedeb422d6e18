"""What goes wrong in TokenClassifier."""

from __future__ import annotations

from grading.exercises import classifier_mistakes as wrong
from grading.exercises.entities.checks import classifier

OUTPUT = 'outputs["sequence_output"]'
LOGITS = "self.logits_dense(tokens)"

classifier.mistake(
    "OfTheText",
    "The head reads the pooled output, so there is one answer for the whole text.",
    hint="Every token needs logits of its own. Which output of the encoder is (batch, length, hidden_dim)?",
    change={OUTPUT: 'outputs["pooled_output"]'},
)
classifier.mistake(
    "OfTheFirstToken",
    "Every token gets the encoder's output for [CLS].",
    hint="[CLS] stands for the whole text. Which vector stands for a word?",
    change={OUTPUT: f"ops.broadcast_to({OUTPUT}[:, :1], ops.shape({OUTPUT}))"},
)
classifier.mistake(
    "Pooled",
    "Every token goes through the pooler.",
    hint="The pooler is for [CLS], to classify texts. A token is described by the output of the last block.",
    change={OUTPUT: f"self.encoder.pooler({OUTPUT})"},
)
classifier.mistake(
    "Probabilities",
    "A softmax is applied, so the tagger returns probabilities instead of logits.",
    hint="The loss contains a softmax. What would two of them do to the differences?",
    change={LOGITS: f"ops.softmax({LOGITS}, axis=-1)"},
)
classifier.mistake(
    "Activated",
    "The projection has an activation, but logits can be any numbers.",
    hint="With relu, no logit is negative, and most gradients are lost.",
    change={LOGITS: f"ops.relu({LOGITS})"},
)
classifier.mistake(
    "TagsReturned",
    "The tags are returned instead of their logits.",
    hint="argmax has no gradient, so nothing could be learned. It belongs in the evaluation.",
    change={LOGITS: f"ops.argmax({LOGITS}, axis=-1)"},
)
classifier.mistake(
    "MaskForgotten",
    "padding_mask does not reach the encoder, so a word's tag depends on the padding after its text.",
    hint="A text is padded to the longest of its batch. Which argument tells the encoder what is padding?",
    change=wrong.MASK_FORGOTTEN,
)
classifier.mistake(**wrong.INPUTS_BY_PLACE)
classifier.mistake(**wrong.MASK_INVERTED)
classifier.mistake(**wrong.MASK_OF_ONES)
classifier.mistake(**wrong.MASK_OF_ZEROS)
classifier.mistake(
    "SegmentsForgotten",
    "segment_ids do not reach the encoder.",
    hint="The inputs are three arrays. Which one do you not use?",
    change=wrong.SEGMENTS_FORGOTTEN,
)
classifier.mistake(**wrong.NEVER_DROPPING)
classifier.mistake(**wrong.ENCODER_NEVER_DROPPING)
classifier.mistake(**wrong.ENCODER_NOT_BUILT)
classifier.mistake(**wrong.ENCODER_BUILT_AGAIN)
classifier.mistake(**wrong.ALWAYS_DROPPING)
classifier.mistake(
    "LogitsDropped",
    "Dropout is applied to the logits instead of the features.",
    hint="A tag whose logit is dropped gets 0. Dropout belongs before the projection.",
    change={**wrong.UNDROPPED, LOGITS: f"self.dropout_layer({LOGITS})"},
)
classifier.mistake(
    "OneTagMore",
    "There is one logit more than there are tags.",
    hint="O is one of the tags: num_tags includes it.",
    change={"projection(self.num_tags": "projection(self.num_tags + 1"},
)
classifier.mistake(
    "NoBias",
    "The projection has no bias.",
    hint="logits = features W + b. Which argument of Dense removes the b?",
    change=wrong.NO_BIAS,
)
classifier.mistake(
    "HiddenLayer",
    "There is a hidden layer before the projection.",
    hint="The blocks have done the work. The head is a single matrix.",
    change=wrong.HIDDEN_LAYER,
)
