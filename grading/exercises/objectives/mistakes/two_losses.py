"""What goes wrong in Electra's loss."""

from __future__ import annotations

from typing import Any

from keras import ops

import course.objectives as right
from course.masked_lm import masked_lm_loss
from grading.exercises.objectives.checks import electra


class Variant(right.Electra):
    """`compute_loss` in steps, one of which a mistake gets wrong."""

    def word_loss(self, y_pred: dict[str, Any]) -> Any:
        return masked_lm_loss(y_pred["words"], y_pred["word_logits"], y_pred["word_weights"])

    def fake_logits(self, y_pred: dict[str, Any]) -> Any:
        return ops.cast(y_pred["fake_logits"], "float32")

    def each(self, logits: Any, fakes: Any) -> Any:
        return ops.softplus(ops.where(fakes, -logits, logits))

    def mean(self, losses: Any, weights: Any, y_pred: dict[str, Any]) -> Any:
        total = ops.sum(weights * losses)
        return ops.divide_no_nan(total, ops.sum(weights))

    def add(self, word_loss: Any, fake_loss: Any) -> Any:
        return word_loss + self.weight * fake_loss

    def keep(self, word_loss: Any, fake_loss: Any, y_pred: dict[str, Any]) -> None:
        self.record(word_loss, fake_loss, y_pred)

    def compute_loss(
        self, x: Any = None, y: Any = None, y_pred: Any = None, sample_weight: Any = None, training: Any = True
    ) -> Any:
        word_loss = self.word_loss(y_pred)
        losses = self.each(self.fake_logits(y_pred), y_pred["fakes"])
        fake_loss = self.mean(losses, y_pred["fake_weights"], y_pred)
        self.keep(word_loss, fake_loss, y_pred)
        return self.add(word_loss, fake_loss)


@electra.whole_mistake(
    "λ is forgotten: both losses weigh the same.",
    hint="The detective's loss is small, since it answers yes or no. Which number makes up for it?",
)
class LambdaForgotten(Variant):
    def add(self, word_loss: Any, fake_loss: Any) -> Any:
        return word_loss + fake_loss


@electra.whole_mistake(
    "λ is a factor of the generator's loss.",
    hint="L = L_MLM + λ L_disc. Which of the two is multiplied?",
)
class LambdaOnWords(Variant):
    def add(self, word_loss: Any, fake_loss: Any) -> Any:
        return self.weight * word_loss + fake_loss


@electra.whole_mistake(
    "λ is always 50.",
    hint="50 is only what `weight` is unless somebody says otherwise.",
)
class AlwaysFifty(Variant):
    def add(self, word_loss: Any, fake_loss: Any) -> Any:
        return word_loss + 50.0 * fake_loss


@electra.whole_mistake(
    "The detective's loss is subtracted: the generator learns to be caught, and the detective to be fooled.",
    hint="Nobody plays against anybody here. Both losses are to fall.",
)
class Adversarial(Variant):
    def add(self, word_loss: Any, fake_loss: Any) -> Any:
        return word_loss - self.weight * fake_loss


@electra.whole_mistake(
    "Only the detective's loss is there: the generator learns nothing.",
    hint="L has two terms. Who teaches the generator words?",
)
class DetectiveAlone(Variant):
    def add(self, word_loss: Any, fake_loss: Any) -> Any:
        return self.weight * fake_loss + 0.0 * word_loss


@electra.whole_mistake(
    "The detective's losses are added up, not averaged: long texts weigh more.",
    hint="It is the mean over what has a weight. What is the sum divided by?",
)
class SumOfFakes(Variant):
    def mean(self, losses: Any, weights: Any, y_pred: dict[str, Any]) -> Any:
        return ops.sum(weights * losses)


@electra.whole_mistake(
    "The detective's losses are averaged over all tokens, padding and special ones among them.",
    hint="A token of weight 0 has no part, in the sum above and in the number below.",
)
class MeanOfAllTokens(Variant):
    def mean(self, losses: Any, weights: Any, y_pred: dict[str, Any]) -> Any:
        return ops.mean(losses)


@electra.whole_mistake(
    "The sum is divided by the number of all tokens, not by that of the words.",
    hint="How many tokens are in the sum? Those with a weight of 0 are not.",
)
class DividedByAllTokens(Variant):
    def mean(self, losses: Any, weights: Any, y_pred: dict[str, Any]) -> Any:
        return ops.mean(weights * losses)


@electra.whole_mistake(
    "Each text is averaged by itself, and then the texts: a word of a short text counts more.",
    hint="The mean is over all words of the batch. Over which axes do you sum first?",
)
class MeanOfTexts(Variant):
    def mean(self, losses: Any, weights: Any, y_pred: dict[str, Any]) -> Any:
        of_texts = ops.divide_no_nan(ops.sum(weights * losses, axis=-1), ops.sum(weights, axis=-1))
        return ops.mean(of_texts)


@electra.whole_mistake(
    "The mean is over fakes alone: who says fake everywhere has no loss.",
    hint="Words that were not replaced are to be judged, too. They are most of them.",
)
class MeanOfFakes(Variant):
    def mean(self, losses: Any, weights: Any, y_pred: dict[str, Any]) -> Any:
        return super().mean(losses, weights * ops.cast(y_pred["fakes"], "float32"), y_pred)


@electra.whole_mistake(
    "The loss is NaN where there are no words.",
    hint="0 divided by 0 is no number. `ops.divide_no_nan` knows.",
)
class NothingByNothing(Variant):
    def mean(self, losses: Any, weights: Any, y_pred: dict[str, Any]) -> Any:
        return ops.sum(weights * losses) / ops.sum(weights)


@electra.whole_mistake(
    "The loss is -log σ(u) in two steps: infinite where the detective is sure, and wrong.",
    hint="σ(-200) is 0 in float32, and log 0 is infinite. Which one function is -log σ(u)?",
)
class LogOfSigmoid(Variant):
    def each(self, logits: Any, fakes: Any) -> Any:
        return -ops.log(ops.sigmoid(ops.where(fakes, logits, -logits)))


@electra.whole_mistake(
    "The labels are the wrong way round: the detective learns to say fake where nothing was replaced.",
    hint="Above 0 it takes a token for a fake. Which sign of u makes the loss of a fake small?",
)
class LabelsInverted(Variant):
    def each(self, logits: Any, fakes: Any) -> Any:
        return ops.softplus(ops.where(fakes, logits, -logits))


@electra.whole_mistake(
    "The loss is computed in half precision.",
    hint="Sums of many words lose their last digits. What dtype do the logits come in?",
)
class HalfPrecision(Variant):
    def fake_logits(self, y_pred: dict[str, Any]) -> Any:
        return ops.convert_to_tensor(y_pred["fake_logits"])

    def mean(self, losses: Any, weights: Any, y_pred: dict[str, Any]) -> Any:
        return super().mean(losses, ops.cast(weights, losses.dtype), y_pred)

    def add(self, word_loss: Any, fake_loss: Any) -> Any:
        return ops.cast(word_loss, fake_loss.dtype) + self.weight * fake_loss


@electra.whole_mistake(
    "The metrics are never kept.",
    hint="On the way, `self.record` wants the two losses and what `call` returned.",
)
class NothingKept(Variant):
    def keep(self, word_loss: Any, fake_loss: Any, y_pred: dict[str, Any]) -> None:
        pass


@electra.whole_mistake(
    "The metrics get the detective's loss multiplied by λ.",
    hint="What is shown is the loss itself, so that it can be compared with log 2.",
)
class WeightedKept(Variant):
    def keep(self, word_loss: Any, fake_loss: Any, y_pred: dict[str, Any]) -> None:
        self.record(word_loss, self.weight * fake_loss, y_pred)


@electra.whole_mistake(
    "The two losses are handed to the metrics the wrong way round.",
    hint="`record(word_loss, fake_loss, y_pred)`: which comes first?",
)
class SwappedKept(Variant):
    def keep(self, word_loss: Any, fake_loss: Any, y_pred: dict[str, Any]) -> None:
        self.record(fake_loss, word_loss, y_pred)
