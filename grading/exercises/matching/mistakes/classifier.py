"""What goes wrong in PairClassifier."""

from __future__ import annotations

from typing import Any

from keras import ops

import course.matching as right
from course.encoder import projection
from grading.exercises import classifier_mistakes as wrong
from grading.exercises.classifier_mistakes import Steps, told_alike
from grading.exercises.matching.checks import classifier


class Variant(Steps, right.PairClassifier):
    """A classifier of pairs in which a mistake is made."""

    head = "logit_dense"

    def score(self, features: Any) -> Any:
        return ops.squeeze(super().score(features), axis=-1)


@classifier.whole_mistake(
    "A sigmoid is applied: probabilities are returned instead of logits.",
    hint="The loss has a sigmoid of its own, and calibration needs logits, too.",
)
class Probability(Variant):
    def score(self, features: Any) -> Any:
        return ops.sigmoid(super().score(features))


@classifier.whole_mistake(
    "The answer is (batch, 1); one number is wanted for each row, (batch,).",
    hint="Beside labels of (batch,), (batch, 1) makes a table of all rows with all labels. Which axis is too many?",
)
class ColumnOfLogits(Variant):
    def score(self, features: Any) -> Any:
        return self.logit_dense(features)


@classifier.whole_mistake(
    "There are two logits, one for each answer, as for classes.",
    hint="With a sigmoid, one number is enough: the logit of the other answer is 0.",
)
class TwoLogits(Variant):
    def build(self, inputs_shape: Any) -> None:
        super().build(inputs_shape)
        self.logit_dense = projection(2, "logit", dtype=self.dtype_policy)
        self.logit_dense.build((None, self.encoder.hidden_dim))

    def score(self, features: Any) -> Any:
        return self.logit_dense(features)


@classifier.whole_mistake(
    "The logits are rounded to answers, 0 and 1.",
    hint="A decision has no gradient, and nobody could choose another threshold.",
)
class Decided(Variant):
    def score(self, features: Any) -> Any:
        return ops.cast(super().score(features) > 0, "float32")


@classifier.whole_mistake(
    "What the last block says of [CLS] is taken, without the pooler.",
    hint='The encoder returns two outputs. "pooled_output" has gone through one layer more.',
)
class FirstToken(wrong.FirstToken, Variant): ...


@classifier.whole_mistake(
    "The mean over all tokens is taken instead of the pooled output.",
    hint="A cross-encoder reads its answer from [CLS]. Means are for texts that are read apart.",
)
class MeanOfTokens(wrong.MeanOfTokens, Variant): ...


@classifier.whole_mistake(
    "segment_ids do not reach the encoder: query, title and body are one text to it.",
    hint="The inputs are three arrays. Which of them is never used?",
)
class SegmentsForgotten(wrong.SegmentsForgotten, Variant): ...


@classifier.whole_mistake(
    "Segments above 1 are taken for 1.",
    hint="There are as many segments as texts in the row. Two were enough for chapter 6.",
)
class SegmentsCut(Variant):
    def encode(self, inputs: dict[str, Any]) -> dict[str, Any]:
        segments = inputs.get("segment_ids")
        segments = None if segments is None else ops.minimum(segments, 1)
        return self.encoder(inputs["token_ids"], segments, inputs.get("padding_mask"))


@classifier.whole_mistake(
    "padding_mask does not reach the encoder: a score depends on how much padding stands behind the texts.",
    hint="A row is padded to the longest of its batch. Who tells the encoder what is padding?",
)
class MaskForgotten(wrong.MaskForgotten, Variant): ...


@told_alike(classifier)
class InputsByPlace(wrong.InputsByPlace, Variant): ...


@told_alike(classifier)
class MaskInverted(wrong.MaskInverted, Variant): ...


@told_alike(classifier)
class NeverDropping(wrong.NeverDropping, Variant): ...


@told_alike(classifier)
class AlwaysDropping(wrong.AlwaysDropping, Variant): ...


@classifier.whole_mistake(
    "The logit is dropped instead of the features.",
    hint="A row whose logit is dropped gets 0. What should be dropped comes before the projection.",
)
class LogitsDropped(wrong.LogitsDropped, Variant): ...


@classifier.whole_mistake(
    "The projection has no bias.",
    hint="logit = features · w + b. Which argument of Dense takes the b away?",
)
class NoBias(wrong.NoBias, Variant): ...


@classifier.whole_mistake(
    "There is a hidden layer before the projection.",
    hint="The pooler is one already. What stands above it is a single vector.",
)
class HiddenLayer(wrong.HiddenLayer, Variant): ...


@classifier.whole_mistake(
    "The logit is compared with those of the batch: a score depends on its neighbours.",
    hint="Each row is judged for itself. What a batch has in common must not matter.",
)
class Centred(Variant):
    def score(self, features: Any) -> Any:
        logits = super().score(features)
        return logits - ops.mean(logits)


@classifier.whole_mistake(
    "All axes of length 1 are squeezed, so a batch of one row has no axis left.",
    hint="`ops.squeeze` without an axis takes all that it finds. Which one is meant?",
)
class SqueezedAll(Variant):
    def score(self, features: Any) -> Any:
        return ops.squeeze(self.logit_dense(features))
