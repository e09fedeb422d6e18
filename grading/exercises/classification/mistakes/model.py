"""What goes wrong in TextClassifier."""

from __future__ import annotations

from typing import Any

from keras import ops

import course.classification as right
from grading.exercises import classifier_mistakes as wrong
from grading.exercises.classification.checks import classifier
from grading.exercises.classifier_mistakes import Steps, told_alike


class Variant(Steps, right.TextClassifier):
    """A classifier of texts in which a mistake is made."""


@classifier.whole_mistake(
    "A softmax is applied: the classifier returns probabilities instead of logits.",
    hint="The loss has a softmax of its own. What would two of them do to the differences?",
)
class Probabilities(wrong.Probabilities, Variant): ...


@classifier.whole_mistake(
    "The projection has an activation; logits are any numbers.",
    hint="With relu, no class can get a negative logit, and most gradients are lost.",
)
class Activated(wrong.Activated, Variant): ...


@classifier.whole_mistake(
    "The vector of [CLS] is taken before the pooler, not the pooled output.",
    hint="The encoder returns a dictionary. Which of its values has been through the pooler?",
)
class BeforeThePooler(wrong.FirstToken, Variant): ...


@classifier.whole_mistake(
    "The mean of all tokens is taken instead of the pooled output.",
    hint="It is [CLS] that speaks for the whole text here, through the pooler.",
)
class MeanOfTokens(wrong.MeanOfTokens, Variant): ...


@classifier.whole_mistake(
    "The last token is taken instead of the pooled output.",
    hint="Models that read from left to right end with what they know. Where does BERT keep it?",
)
class LastToken(Variant):
    def features(self, outputs: dict[str, Any]) -> Any:
        return outputs["sequence_output"][:, -1]


@classifier.whole_mistake(
    "Every token is classified: the logits are (batch, length, num_classes).",
    hint="One text, one answer. Which output of the encoder is (batch, hidden_dim)?",
)
class EveryToken(Variant):
    def features(self, outputs: dict[str, Any]) -> Any:
        return outputs["sequence_output"]


@classifier.whole_mistake(
    "padding_mask does not reach the encoder: the answer depends on the neighbours in the batch.",
    hint="A text is padded to the longest of its batch. Who tells the encoder what is padding?",
)
class MaskForgotten(wrong.MaskForgotten, Variant): ...


@told_alike(classifier)
class InputsByPlace(wrong.InputsByPlace, Variant): ...


@told_alike(classifier)
class MaskInverted(wrong.MaskInverted, Variant):
    def encode(self, inputs: dict[str, Any]) -> dict[str, Any]:
        mask = ops.logical_not(ops.cast(inputs["padding_mask"], "bool"))  # as if there were always one
        return self.encoder(inputs["token_ids"], inputs.get("segment_ids"), mask)


@classifier.whole_mistake(
    "segment_ids do not reach the encoder: title and text are one.",
    hint="The inputs are three arrays. Which of them is never used?",
)
class SegmentsForgotten(wrong.SegmentsForgotten, Variant): ...


@classifier.whole_mistake(
    "padding_mask and segment_ids are exchanged.",
    hint="In which order does the encoder take its arguments? Names are safer than places.",
)
class ArgumentsExchanged(Variant):
    def encode(self, inputs: dict[str, Any]) -> dict[str, Any]:
        segment_ids = ops.cast(inputs["padding_mask"], "int32")
        return self.encoder(inputs["token_ids"], segment_ids, inputs["segment_ids"])


@told_alike(classifier)
class NeverDropping(wrong.NeverDropping, Variant): ...


@told_alike(classifier)
class AlwaysDropping(wrong.AlwaysDropping, Variant): ...


@classifier.whole_mistake(
    "The logits are dropped instead of the features.",
    hint="A class whose logit is dropped gets 0. What should be dropped comes before the projection.",
)
class LogitsDropped(wrong.LogitsDropped, Variant): ...


@classifier.whole_mistake(
    "There is a logit too many: one more than there are classes.",
    hint="Class ids run from 0 to num_classes - 1. Were labels from 1 to 4 the reason?",
)
class OneClassMore(Variant):
    def build(self, inputs_shape: Any) -> None:
        self.num_classes += 1
        super().build(inputs_shape)


@classifier.whole_mistake(
    "The projection has no bias.",
    hint="logits = pooled W + b. Which argument of Dense takes the b away?",
)
class NoBias(wrong.NoBias, Variant): ...


@classifier.whole_mistake(
    "There is a hidden layer before the projection.",
    hint="The pooler is one already. What stands above is a single matrix.",
)
class HiddenLayer(wrong.HiddenLayer, Variant): ...


@classifier.whole_mistake(
    "The classes are returned instead of their logits.",
    hint="argmax has no gradient, so nothing could be learned. It comes in the evaluation.",
)
class ClassesReturned(wrong.LabelsReturned, Variant): ...
