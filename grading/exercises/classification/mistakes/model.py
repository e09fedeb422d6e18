"""What goes wrong in TextClassifier."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

import course.classification as right
from grading.exercises.classification.checks import classifier


class Variant(right.TextClassifier):
    """The classifier in four steps, one of which a mistake gets wrong."""

    def encode(self, inputs: dict[str, Any]) -> dict[str, Any]:
        return self.encoder(inputs["token_ids"], inputs.get("segment_ids"), inputs.get("padding_mask"))

    def summary(self, outputs: dict[str, Any]) -> Any:
        return outputs["pooled_output"]

    def drop(self, pooled: Any) -> Any:
        return self.dropout_layer(pooled)

    def score(self, pooled: Any) -> Any:
        return self.logits_dense(pooled)

    def call(self, inputs: dict[str, Any], training: bool | None = None) -> Any:
        return self.score(self.drop(self.summary(self.encode(inputs))))


@classifier.mistake(
    "A softmax is applied: the classifier returns probabilities instead of logits.",
    hint="The loss has a softmax of its own. What would two of them do to the differences?",
)
class Probabilities(Variant):
    def score(self, pooled: Any) -> Any:
        return ops.softmax(super().score(pooled), axis=-1)


@classifier.mistake(
    "The projection has an activation; logits are any numbers.",
    hint="With relu, no class can get a negative logit, and most gradients are lost.",
)
class Activated(Variant):
    def score(self, pooled: Any) -> Any:
        return ops.relu(super().score(pooled))


@classifier.mistake(
    "The vector of [CLS] is taken before the pooler, not the pooled output.",
    hint="The encoder returns a dictionary. Which of its values has been through the pooler?",
)
class BeforeThePooler(Variant):
    def summary(self, outputs: dict[str, Any]) -> Any:
        return outputs["sequence_output"][:, 0]


@classifier.mistake(
    "The mean of all tokens is taken instead of the pooled output.",
    hint="It is [CLS] that speaks for the whole text here, through the pooler.",
)
class MeanOfTokens(Variant):
    def summary(self, outputs: dict[str, Any]) -> Any:
        return ops.mean(outputs["sequence_output"], axis=1)


@classifier.mistake(
    "The last token is taken instead of the pooled output.",
    hint="Models that read from left to right end with what they know. Where does BERT keep it?",
)
class LastToken(Variant):
    def summary(self, outputs: dict[str, Any]) -> Any:
        return outputs["sequence_output"][:, -1]


@classifier.mistake(
    "Every token is classified: the logits are (batch, length, num_classes).",
    hint="One text, one answer. Which output of the encoder is (batch, hidden_dim)?",
)
class EveryToken(Variant):
    def summary(self, outputs: dict[str, Any]) -> Any:
        return outputs["sequence_output"]


@classifier.mistake(
    "padding_mask does not reach the encoder: the answer depends on the neighbours in the batch.",
    hint="A text is padded to the longest of its batch. Who tells the encoder what is padding?",
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
        mask = ops.logical_not(ops.cast(inputs["padding_mask"], "bool"))
        return self.encoder(inputs["token_ids"], inputs.get("segment_ids"), mask)


@classifier.mistake(
    "segment_ids do not reach the encoder: title and text are one.",
    hint="The inputs are three arrays. Which of them is never used?",
)
class SegmentsForgotten(Variant):
    def encode(self, inputs: dict[str, Any]) -> dict[str, Any]:
        return self.encoder(inputs["token_ids"], padding_mask=inputs.get("padding_mask"))


@classifier.mistake(
    "padding_mask and segment_ids are exchanged.",
    hint="In which order does the encoder take its arguments? Names are safer than places.",
)
class ArgumentsExchanged(Variant):
    def encode(self, inputs: dict[str, Any]) -> dict[str, Any]:
        segment_ids = ops.cast(inputs["padding_mask"], "int32")
        return self.encoder(inputs["token_ids"], segment_ids, inputs["segment_ids"])


@classifier.mistake(
    "Dropout is never applied.",
    hint="self.dropout_layer was made in __init__. Where is it called?",
)
class NeverDropping(Variant):
    def drop(self, pooled: Any) -> Any:
        return pooled


@classifier.mistake(
    "Dropout is always on.",
    hint="Two calls outside training must agree. self.dropout_layer knows by itself when it is in training.",
)
class AlwaysDropping(Variant):
    def drop(self, pooled: Any) -> Any:
        return self.dropout_layer(pooled, training=True)


@classifier.mistake(
    "The logits are dropped instead of the features.",
    hint="A class whose logit is dropped gets 0. What should be dropped comes before the projection.",
)
class LogitsDropped(Variant):
    def drop(self, pooled: Any) -> Any:
        return pooled

    def score(self, pooled: Any) -> Any:
        return self.dropout_layer(super().score(pooled))


@classifier.mistake(
    "There is a logit too many: one more than there are classes.",
    hint="Class ids run from 0 to num_classes - 1. Were labels from 1 to 4 the reason?",
)
class OneClassMore(Variant):
    def build(self, inputs_shape: Any) -> None:
        self.num_classes += 1
        super().build(inputs_shape)


@classifier.mistake(
    "The projection has no bias.",
    hint="logits = pooled W + b. Which argument of Dense takes the b away?",
)
class NoBias(Variant):
    def build(self, inputs_shape: Any) -> None:
        super().build(inputs_shape)
        self.logits_dense = keras.layers.Dense(self.num_classes, use_bias=False, dtype=self.dtype_policy)
        self.logits_dense.build((None, self.encoder.hidden_dim))


@classifier.mistake(
    "There is a hidden layer before the projection.",
    hint="The pooler is one already. What stands above is a single matrix.",
)
class HiddenLayer(Variant):
    def build(self, inputs_shape: Any) -> None:
        super().build(inputs_shape)
        self.hidden = keras.layers.Dense(self.encoder.hidden_dim, activation="relu", dtype=self.dtype_policy)
        self.hidden.build((None, self.encoder.hidden_dim))

    def score(self, pooled: Any) -> Any:
        return super().score(self.hidden(pooled))


@classifier.mistake(
    "The classes are returned instead of their logits.",
    hint="argmax has no gradient, so nothing could be learned. It comes in the evaluation.",
)
class ClassesReturned(Variant):
    def score(self, pooled: Any) -> Any:
        return ops.argmax(super().score(pooled), axis=-1)
