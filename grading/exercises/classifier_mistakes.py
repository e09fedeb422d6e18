"""What goes wrong in every classifier that stands on an encoder, whatever it classifies.

Each class is one mistake. A chapter has it made in a classifier of its own, and says what it means there:

    class Variant(Steps, right.TextClassifier): ...

    @classifier.whole_mistake("The projection has no bias.", hint="...")
    class NoBias(wrong.NoBias, Variant): ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras
from keras import ops

from grading.judging.exercise import Exercise


class Steps(keras.Model):
    """The call of a classifier in four steps, one of which a mistake gets wrong.

    Attributes:
        head: the name of its projection.
    """

    head = "logits_dense"

    def encode(self, inputs: dict[str, Any]) -> dict[str, Any]:
        return self.encoder(inputs["token_ids"], inputs.get("segment_ids"), inputs.get("padding_mask"))

    def features(self, outputs: dict[str, Any]) -> Any:
        return outputs["pooled_output"]

    def drop(self, features: Any) -> Any:
        return self.dropout_layer(features)

    def score(self, features: Any) -> Any:
        return getattr(self, self.head)(features)

    def call(self, inputs: dict[str, Any], training: bool | None = None) -> Any:
        return self.score(self.drop(self.features(self.encode(inputs))))


def told_alike(exercise: Exercise) -> Callable[[Any], Any]:
    """Registers a mistake that says itself what is wrong: in all chapters the same."""
    return lambda mistake: exercise.whole_mistake(mistake.sentence, hint=mistake.hint)(mistake)


class MaskForgotten(Steps):
    def encode(self, inputs: dict[str, Any]) -> dict[str, Any]:
        return self.encoder(inputs["token_ids"], inputs.get("segment_ids"))


class MaskInverted(Steps):
    sentence = "padding_mask is turned round: only padding is attended."
    hint = "True stands at tokens, for the encoder as for the tokenizer."

    def encode(self, inputs: dict[str, Any]) -> dict[str, Any]:
        mask = inputs.get("padding_mask")
        mask = None if mask is None else ops.logical_not(ops.cast(mask, "bool"))
        return self.encoder(inputs["token_ids"], inputs.get("segment_ids"), mask)


class InputsByPlace(Steps):
    sentence = "The encoder gets the inputs in the order of the dictionary, and not by their names."
    hint = "A dictionary may come in any order, and without segments. What does the encoder then take for its segments?"

    def encode(self, inputs: dict[str, Any]) -> dict[str, Any]:
        return self.encoder(*inputs.values())


class SegmentsForgotten(Steps):
    def encode(self, inputs: dict[str, Any]) -> dict[str, Any]:
        return self.encoder(inputs["token_ids"], padding_mask=inputs.get("padding_mask"))


class FirstToken(Steps):
    def features(self, outputs: dict[str, Any]) -> Any:
        return outputs["sequence_output"][:, 0]


class MeanOfTokens(Steps):
    def features(self, outputs: dict[str, Any]) -> Any:
        return ops.mean(outputs["sequence_output"], axis=1)


class NeverDropping(Steps):
    sentence = "Dropout is never applied."
    hint = "self.dropout_layer was made in __init__. Where is it called?"

    def drop(self, features: Any) -> Any:
        return features


class AlwaysDropping(Steps):
    sentence = "Dropout is always on."
    hint = "Two calls outside training must agree. self.dropout_layer knows by itself when it is in training."

    def drop(self, features: Any) -> Any:
        return self.dropout_layer(features, training=True)


class LogitsDropped(Steps):
    def drop(self, features: Any) -> Any:
        return features

    def score(self, features: Any) -> Any:
        return self.dropout_layer(super().score(features))


class NoBias(Steps):
    def build(self, inputs_shape: Any) -> None:
        super().build(inputs_shape)
        units = getattr(self, self.head).units
        dense = keras.layers.Dense(units, use_bias=False, dtype=self.dtype_policy)
        dense.build((None, self.encoder.hidden_dim))
        setattr(self, self.head, dense)


class HiddenLayer(Steps):
    def build(self, inputs_shape: Any) -> None:
        super().build(inputs_shape)
        self.hidden = keras.layers.Dense(self.encoder.hidden_dim, activation="relu", dtype=self.dtype_policy)
        self.hidden.build((None, self.encoder.hidden_dim))

    def score(self, features: Any) -> Any:
        return super().score(self.hidden(features))


class Probabilities(Steps):
    def score(self, features: Any) -> Any:
        return ops.softmax(super().score(features), axis=-1)


class Activated(Steps):
    def score(self, features: Any) -> Any:
        return ops.relu(super().score(features))


class LabelsReturned(Steps):
    def score(self, features: Any) -> Any:
        return ops.argmax(super().score(features), axis=-1)
