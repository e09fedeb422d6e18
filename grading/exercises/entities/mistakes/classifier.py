"""What goes wrong in TokenClassifier."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

import course.entities as right
from grading.exercises.entities.checks import classifier


class Variant(right.TokenClassifier):
    """The tagger in four steps, one of which a mistake gets wrong."""

    def encode(self, inputs: dict[str, Any]) -> dict[str, Any]:
        return self.encoder(inputs["token_ids"], inputs.get("segment_ids"), inputs.get("padding_mask"))

    def features(self, outputs: dict[str, Any]) -> Any:
        return outputs["sequence_output"]

    def drop(self, features: Any) -> Any:
        return self.dropout_layer(features)

    def score(self, features: Any) -> Any:
        return self.logits_dense(features)

    def call(self, inputs: dict[str, Any], training: bool | None = None) -> Any:
        return self.score(self.drop(self.features(self.encode(inputs))))


@classifier.mistake(
    "The pooled output is taken: there is one answer for the whole text.",
    hint="Every token needs logits of its own. Which output of the encoder is (batch, length, hidden_dim)?",
)
class OfTheText(Variant):
    def features(self, outputs: dict[str, Any]) -> Any:
        return outputs["pooled_output"]


@classifier.mistake(
    "Every token gets what the encoder says of [CLS].",
    hint="[CLS] speaks for the whole text. Who speaks for a word?",
)
class OfTheFirstToken(Variant):
    def features(self, outputs: dict[str, Any]) -> Any:
        sequence = outputs["sequence_output"]
        return ops.broadcast_to(sequence[:, :1], ops.shape(sequence))


@classifier.mistake(
    "Every token goes through the pooler.",
    hint="The pooler is for [CLS], to classify texts. What the encoder says of a token is its last block's output.",
)
class Pooled(Variant):
    def features(self, outputs: dict[str, Any]) -> Any:
        return self.encoder.pooler(outputs["sequence_output"])


@classifier.mistake(
    "A softmax is applied: the tagger returns probabilities instead of logits.",
    hint="The loss has a softmax of its own. What would two of them do to the differences?",
)
class Probabilities(Variant):
    def score(self, features: Any) -> Any:
        return ops.softmax(super().score(features), axis=-1)


@classifier.mistake(
    "The projection has an activation; logits are any numbers.",
    hint="With relu, no tag can get a negative logit, and most gradients are lost.",
)
class Activated(Variant):
    def score(self, features: Any) -> Any:
        return ops.relu(super().score(features))


@classifier.mistake(
    "The tags are returned instead of their logits.",
    hint="argmax has no gradient, so nothing could be learned. It comes in the evaluation.",
)
class TagsReturned(Variant):
    def score(self, features: Any) -> Any:
        return ops.argmax(super().score(features), axis=-1)


@classifier.mistake(
    "padding_mask does not reach the encoder: a word's tag depends on the padding behind its text.",
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
        mask = inputs.get("padding_mask")
        mask = None if mask is None else ops.logical_not(ops.cast(mask, "bool"))
        return self.encoder(inputs["token_ids"], inputs.get("segment_ids"), mask)


@classifier.mistake(
    "segment_ids do not reach the encoder.",
    hint="The inputs are three arrays. Which of them is never used?",
)
class SegmentsForgotten(Variant):
    def encode(self, inputs: dict[str, Any]) -> dict[str, Any]:
        return self.encoder(inputs["token_ids"], padding_mask=inputs.get("padding_mask"))


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
    "The logits are dropped instead of the features.",
    hint="A tag whose logit is dropped gets 0. What should be dropped comes before the projection.",
)
class LogitsDropped(Variant):
    def drop(self, features: Any) -> Any:
        return features

    def score(self, features: Any) -> Any:
        return self.dropout_layer(super().score(features))


@classifier.mistake(
    "There is a logit too many: one more than there are tags.",
    hint="O is one of the tags, and is counted in num_tags.",
)
class OneTagMore(Variant):
    def build(self, inputs_shape: Any) -> None:
        self.num_tags += 1
        super().build(inputs_shape)


@classifier.mistake(
    "The projection has no bias.",
    hint="logits = features W + b. Which argument of Dense takes the b away?",
)
class NoBias(Variant):
    def build(self, inputs_shape: Any) -> None:
        super().build(inputs_shape)
        self.logits_dense = keras.layers.Dense(self.num_tags, use_bias=False, dtype=self.dtype_policy)
        self.logits_dense.build((None, None, self.encoder.hidden_dim))


@classifier.mistake(
    "There is a hidden layer before the projection.",
    hint="The blocks have said enough. What stands above them is a single matrix.",
)
class HiddenLayer(Variant):
    def build(self, inputs_shape: Any) -> None:
        super().build(inputs_shape)
        self.hidden = keras.layers.Dense(self.encoder.hidden_dim, activation="relu", dtype=self.dtype_policy)
        self.hidden.build((None, None, self.encoder.hidden_dim))

    def score(self, features: Any) -> Any:
        return super().score(self.hidden(features))
