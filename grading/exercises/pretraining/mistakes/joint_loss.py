"""What goes wrong in BertPretrainer where the losses are added up."""

from __future__ import annotations

from typing import Any

from keras import ops

import course.pretraining as right
from course.masked_lm import masked_lm_loss
from course.next_sentence import next_sentence_loss
from grading.exercises.pretraining.checks import pretrainer


class Variant(right.BertPretrainer):
    """`compute_loss` in steps, one of which a mistake gets wrong."""

    def word_loss(self, y_pred: dict[str, Any]) -> Any:
        return masked_lm_loss(y_pred["words"], y_pred["word_logits"], y_pred["word_weights"])

    def pair_loss(self, y: Any, y_pred: dict[str, Any]) -> Any:
        return next_sentence_loss(y, y_pred["next_sentence_logits"])

    def total(self, word_loss: Any, pair_loss: Any, y_pred: dict[str, Any]) -> Any:
        return word_loss + pair_loss

    def keep(self, word_loss: Any, total: Any, y: Any, y_pred: dict[str, Any]) -> None:
        self.record(word_loss, y, y_pred)

    def compute_loss(
        self, x: Any = None, y: Any = None, y_pred: Any = None, sample_weight: Any = None, training: Any = True
    ) -> Any:
        word_loss = self.word_loss(y_pred)
        total = self.total(word_loss, self.pair_loss(y, y_pred), y_pred)
        self.keep(word_loss, total, y, y_pred)
        return total


@pretrainer.whole_mistake(
    "The loss is that of the masked words alone.",
    hint="BERT learns two tasks at once. Who learns nothing under your loss?",
)
class WordsAlone(Variant):
    def total(self, word_loss: Any, pair_loss: Any, y_pred: dict[str, Any]) -> Any:
        return word_loss


@pretrainer.whole_mistake(
    "The loss is that of the next sentence alone.",
    hint="BERT learns two tasks at once. Who learns nothing under your loss?",
)
class PairsAlone(Variant):
    def total(self, word_loss: Any, pair_loss: Any, y_pred: dict[str, Any]) -> Any:
        return pair_loss


@pretrainer.whole_mistake(
    "The mean of both losses is taken instead of their sum.",
    hint="Look at the equation in the docstring once more.",
)
class MeanOfBoth(Variant):
    def total(self, word_loss: Any, pair_loss: Any, y_pred: dict[str, Any]) -> Any:
        return (word_loss + pair_loss) / 2


@pretrainer.whole_mistake(
    "The loss of the words counts positions that only fill up a row.",
    hint="`masked_lm_loss` wants to know which words count.",
)
class WeightsForgotten(Variant):
    def word_loss(self, y_pred: dict[str, Any]) -> Any:
        weights = ops.ones_like(y_pred["word_weights"])
        return masked_lm_loss(y_pred["words"], y_pred["word_logits"], weights)


@pretrainer.whole_mistake(
    "The labels of the next sentence are turned round.",
    hint="0 is the next sentence, in the labels and in the logits alike.",
)
class LabelsTurnedRound(Variant):
    def pair_loss(self, y: Any, y_pred: dict[str, Any]) -> Any:
        return super().pair_loss(1 - y, y_pred)


@pretrainer.whole_mistake(
    "Each loss is weighted by the size of its task: a sentence counts no more than a word.",
    hint="Each loss is a mean already. The equation adds them up as they are.",
)
class WeightedByCount(Variant):
    def total(self, word_loss: Any, pair_loss: Any, y_pred: dict[str, Any]) -> Any:
        words = ops.sum(y_pred["word_weights"])
        pairs = ops.cast(ops.shape(y_pred["words"])[0], "float32")
        return (words * word_loss + pairs * pair_loss) / (words + pairs)


@pretrainer.whole_mistake(
    "The metrics are not kept: self.record is never called.",
    hint="The docstring names a method that keeps them. Without it, training shows zeros.",
)
class NothingRecorded(Variant):
    def keep(self, word_loss: Any, total: Any, y: Any, y_pred: dict[str, Any]) -> None:
        pass


@pretrainer.whole_mistake(
    "The sum of both losses is recorded as the loss of the words.",
    hint="What is the first argument of `self.record`?",
)
class SumRecorded(Variant):
    def keep(self, word_loss: Any, total: Any, y: Any, y_pred: dict[str, Any]) -> None:
        self.record(total, y, y_pred)
