"""What goes wrong in TokenClassifier."""

from __future__ import annotations

from typing import Any

from keras import ops

import course.entities as right
from grading.exercises import classifier_mistakes as wrong
from grading.exercises.classifier_mistakes import Steps, told_alike
from grading.exercises.entities.checks import classifier


class Variant(Steps, right.TokenClassifier):
    """A tagger in which a mistake is made."""

    def features(self, outputs: dict[str, Any]) -> Any:
        return outputs["sequence_output"]


@classifier.whole_mistake(
    "The pooled output is taken: there is one answer for the whole text.",
    hint="Every token needs logits of its own. Which output of the encoder is (batch, length, hidden_dim)?",
)
class OfTheText(Variant):
    def features(self, outputs: dict[str, Any]) -> Any:
        return outputs["pooled_output"]


@classifier.whole_mistake(
    "Every token gets what the encoder says of [CLS].",
    hint="[CLS] speaks for the whole text. Who speaks for a word?",
)
class OfTheFirstToken(Variant):
    def features(self, outputs: dict[str, Any]) -> Any:
        sequence = outputs["sequence_output"]
        return ops.broadcast_to(sequence[:, :1], ops.shape(sequence))


@classifier.whole_mistake(
    "Every token goes through the pooler.",
    hint="The pooler is for [CLS], to classify texts. What the encoder says of a token is its last block's output.",
)
class Pooled(Variant):
    def features(self, outputs: dict[str, Any]) -> Any:
        return self.encoder.pooler(outputs["sequence_output"])


@classifier.whole_mistake(
    "A softmax is applied: the tagger returns probabilities instead of logits.",
    hint="The loss has a softmax of its own. What would two of them do to the differences?",
)
class Probabilities(wrong.Probabilities, Variant): ...


@classifier.whole_mistake(
    "The projection has an activation; logits are any numbers.",
    hint="With relu, no tag can get a negative logit, and most gradients are lost.",
)
class Activated(wrong.Activated, Variant): ...


@classifier.whole_mistake(
    "The tags are returned instead of their logits.",
    hint="argmax has no gradient, so nothing could be learned. It comes in the evaluation.",
)
class TagsReturned(wrong.LabelsReturned, Variant): ...


@classifier.whole_mistake(
    "padding_mask does not reach the encoder: a word's tag depends on the padding behind its text.",
    hint="A text is padded to the longest of its batch. Who tells the encoder what is padding?",
)
class MaskForgotten(wrong.MaskForgotten, Variant): ...


@told_alike(classifier)
class InputsByPlace(wrong.InputsByPlace, Variant): ...


@told_alike(classifier)
class MaskInverted(wrong.MaskInverted, Variant): ...


@classifier.whole_mistake(
    "segment_ids do not reach the encoder.",
    hint="The inputs are three arrays. Which of them is never used?",
)
class SegmentsForgotten(wrong.SegmentsForgotten, Variant): ...


@told_alike(classifier)
class NeverDropping(wrong.NeverDropping, Variant): ...


@told_alike(classifier)
class AlwaysDropping(wrong.AlwaysDropping, Variant): ...


@classifier.whole_mistake(
    "The logits are dropped instead of the features.",
    hint="A tag whose logit is dropped gets 0. What should be dropped comes before the projection.",
)
class LogitsDropped(wrong.LogitsDropped, Variant): ...


@classifier.whole_mistake(
    "There is a logit too many: one more than there are tags.",
    hint="O is one of the tags, and is counted in num_tags.",
)
class OneTagMore(Variant):
    def build(self, inputs_shape: Any) -> None:
        self.num_tags += 1
        super().build(inputs_shape)


@classifier.whole_mistake(
    "The projection has no bias.",
    hint="logits = features W + b. Which argument of Dense takes the b away?",
)
class NoBias(wrong.NoBias, Variant): ...


@classifier.whole_mistake(
    "There is a hidden layer before the projection.",
    hint="The blocks have said enough. What stands above them is a single matrix.",
)
class HiddenLayer(wrong.HiddenLayer, Variant): ...
