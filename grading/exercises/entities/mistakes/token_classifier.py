"""What goes wrong in TokenClassifier."""

from __future__ import annotations

from grading.exercises import classifier_mistakes as wrong
from grading.exercises.entities.checks import classifier

OUTPUT = 'outputs["sequence_output"]'
LOGITS = "self.logits_dense(tokens)"

classifier.mistake(
    "OfTheText",
    "The pooled output is taken: there is one answer for the whole text.",
    hint="Every token needs logits of its own. Which output of the encoder is (batch, length, hidden_dim)?",
    change={OUTPUT: 'outputs["pooled_output"]'},
)
classifier.mistake(
    "OfTheFirstToken",
    "Every token gets what the encoder says of [CLS].",
    hint="[CLS] speaks for the whole text. Who speaks for a word?",
    change={OUTPUT: f"ops.broadcast_to({OUTPUT}[:, :1], ops.shape({OUTPUT}))"},
)
classifier.mistake(
    "Pooled",
    "Every token goes through the pooler.",
    hint="The pooler is for [CLS], to classify texts. What the encoder says of a token is its last block's output.",
    change={OUTPUT: f"self.encoder.pooler({OUTPUT})"},
)
classifier.mistake(
    "Probabilities",
    "A softmax is applied: the tagger returns probabilities instead of logits.",
    hint="The loss has a softmax of its own. What would two of them do to the differences?",
    change={LOGITS: f"ops.softmax({LOGITS}, axis=-1)"},
)
classifier.mistake(
    "Activated",
    "The projection has an activation; logits are any numbers.",
    hint="With relu, no tag can get a negative logit, and most gradients are lost.",
    change={LOGITS: f"ops.relu({LOGITS})"},
)
classifier.mistake(
    "TagsReturned",
    "The tags are returned instead of their logits.",
    hint="argmax has no gradient, so nothing could be learned. It comes in the evaluation.",
    change={LOGITS: f"ops.argmax({LOGITS}, axis=-1)"},
)
classifier.mistake(
    "MaskForgotten",
    "padding_mask does not reach the encoder: a word's tag depends on the padding behind its text.",
    hint="A text is padded to the longest of its batch. Who tells the encoder what is padding?",
    change=wrong.MASK_FORGOTTEN,
)
classifier.mistake(**wrong.INPUTS_BY_PLACE)
classifier.mistake(**wrong.MASK_INVERTED)
classifier.mistake(
    "SegmentsForgotten",
    "segment_ids do not reach the encoder.",
    hint="The inputs are three arrays. Which of them is never used?",
    change=wrong.SEGMENTS_FORGOTTEN,
)
classifier.mistake(**wrong.NEVER_DROPPING)
classifier.mistake(**wrong.ALWAYS_DROPPING)
classifier.mistake(
    "LogitsDropped",
    "The logits are dropped instead of the features.",
    hint="A tag whose logit is dropped gets 0. What should be dropped comes before the projection.",
    change={**wrong.UNDROPPED, LOGITS: f"self.dropout_layer({LOGITS})"},
)
classifier.mistake(
    "OneTagMore",
    "There is a logit too many: one more than there are tags.",
    hint="O is one of the tags, and is counted in num_tags.",
    change={"projection(self.num_tags": "projection(self.num_tags + 1"},
)
classifier.mistake(
    "NoBias",
    "The projection has no bias.",
    hint="logits = features W + b. Which argument of Dense takes the b away?",
    change=wrong.NO_BIAS,
)
classifier.mistake(
    "HiddenLayer",
    "There is a hidden layer before the projection.",
    hint="The blocks have said enough. What stands above them is a single matrix.",
    change=wrong.HIDDEN_LAYER,
)
