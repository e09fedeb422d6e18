"""What goes wrong in PairClassifier."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

import course.matching as right
from course.encoder import projection
from grading.exercises.matching.checks import classifier


class Variant(right.PairClassifier):
    """The classifier in four steps, one of which a mistake gets wrong."""

    def encode(self, inputs: dict[str, Any]) -> dict[str, Any]:
        return self.encoder(inputs["token_ids"], inputs.get("segment_ids"), inputs.get("padding_mask"))

    def features(self, outputs: dict[str, Any]) -> Any:
        return outputs["pooled_output"]

    def drop(self, features: Any) -> Any:
        return self.dropout_layer(features)

    def score(self, features: Any) -> Any:
        return ops.squeeze(self.logit_dense(features), axis=-1)

    def call(self, inputs: dict[str, Any], training: bool | None = None) -> Any:
        return self.score(self.drop(self.features(self.encode(inputs))))


@classifier.mistake(
    "A sigmoid is applied: probabilities are returned instead of logits.",
    hint="The loss has a sigmoid of its own, and calibration needs logits, too.",
)
class Probability(Variant):
    def score(self, features: Any) -> Any:
        return ops.sigmoid(super().score(features))


@classifier.mistake(
    "The answer is (batch, 1); one number is wanted for each row, (batch,).",
    hint="Beside labels of (batch,), (batch, 1) makes a table of all rows with all labels. Which axis is too many?",
)
class ColumnOfLogits(Variant):
    def score(self, features: Any) -> Any:
        return self.logit_dense(features)


@classifier.mistake(
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


@classifier.mistake(
    "The logits are rounded to answers, 0 and 1.",
    hint="A decision has no gradient, and nobody could choose another threshold.",
)
class Decided(Variant):
    def score(self, features: Any) -> Any:
        return ops.cast(super().score(features) > 0, "float32")


@classifier.mistake(
    "What the last block says of [CLS] is taken, without the pooler.",
    hint='The encoder returns two outputs. "pooled_output" has gone through one layer more.',
)
class FirstToken(Variant):
    def features(self, outputs: dict[str, Any]) -> Any:
        return outputs["sequence_output"][:, 0]


@classifier.mistake(
    "The mean over all tokens is taken instead of the pooled output.",
    hint="A cross-encoder reads its answer from [CLS]. Means are for texts that are read apart.",
)
class MeanOfTokens(Variant):
    def features(self, outputs: dict[str, Any]) -> Any:
        return ops.mean(outputs["sequence_output"], axis=1)


@classifier.mistake(
    "segment_ids do not reach the encoder: query, title and body are one text to it.",
    hint="The inputs are three arrays. Which of them is never used?",
)
class SegmentsForgotten(Variant):
    def encode(self, inputs: dict[str, Any]) -> dict[str, Any]:
        return self.encoder(inputs["token_ids"], padding_mask=inputs.get("padding_mask"))


@classifier.mistake(
    "Segments above 1 are taken for 1.",
    hint="There are as many segments as texts in the row. Two were enough for chapter 6.",
)
class SegmentsCut(Variant):
    def encode(self, inputs: dict[str, Any]) -> dict[str, Any]:
        segments = inputs.get("segment_ids")
        segments = None if segments is None else ops.minimum(segments, 1)
        return self.encoder(inputs["token_ids"], segments, inputs.get("padding_mask"))


@classifier.mistake(
    "padding_mask does not reach the encoder: a score depends on how much padding stands behind the texts.",
    hint="A row is padded to the longest of its batch. Who tells the encoder what is padding?",
)
class MaskForgotten(Variant):
    def encode(self, inputs: dict[str, Any]) -> dict[str, Any]:
        return self.encoder(inputs["token_ids"], inputs.get("segment_ids"))


@classifier.mistake(
    "padding_mask is turned round: only padding is attended.",
    hint="True stands at tokens, for the encoder as for the tokenizer.",
)
class MaskInverted(Variant):
    def encode(self, inputs: dict[str, Any]) -> dict[str, Any]:
        mask = inputs.get("padding_mask")
        mask = None if mask is None else ops.logical_not(ops.cast(mask, "bool"))
        return self.encoder(inputs["token_ids"], inputs.get("segment_ids"), mask)


@classifier.mistake(
    "Dropout is never applied.",
    hint="self.dropout_layer was made in __init__. Where is it called?",
)
class NeverDropping(Variant):
    def drop(self, features: Any) -> Any:
        return features


@classifier.mistake(
    "Dropout is always on.",
    hint="Two calls outside training must agree. self.dropout_layer knows by itself when it is in training.",
)
class AlwaysDropping(Variant):
    def drop(self, features: Any) -> Any:
        return self.dropout_layer(features, training=True)


@classifier.mistake(
    "The logit is dropped instead of the features.",
    hint="A row whose logit is dropped gets 0. What should be dropped comes before the projection.",
)
class LogitsDropped(Variant):
    def drop(self, features: Any) -> Any:
        return features

    def score(self, features: Any) -> Any:
        return self.dropout_layer(super().score(features))


@classifier.mistake(
    "The projection has no bias.",
    hint="logit = features · w + b. Which argument of Dense takes the b away?",
)
class NoBias(Variant):
    def build(self, inputs_shape: Any) -> None:
        super().build(inputs_shape)
        self.logit_dense = keras.layers.Dense(1, use_bias=False, dtype=self.dtype_policy)
        self.logit_dense.build((None, self.encoder.hidden_dim))


@classifier.mistake(
    "There is a hidden layer before the projection.",
    hint="The pooler is one already. What stands above it is a single vector.",
)
class HiddenLayer(Variant):
    def build(self, inputs_shape: Any) -> None:
        super().build(inputs_shape)
        self.hidden = keras.layers.Dense(self.encoder.hidden_dim, activation="relu", dtype=self.dtype_policy)
        self.hidden.build((None, self.encoder.hidden_dim))

    def score(self, features: Any) -> Any:
        return super().score(self.hidden(features))


@classifier.mistake(
    "The logit is compared with those of the batch: a score depends on its neighbours.",
    hint="Each row is judged for itself. What a batch has in common must not matter.",
)
class Centred(Variant):
    def score(self, features: Any) -> Any:
        logits = super().score(features)
        return logits - ops.mean(logits)
