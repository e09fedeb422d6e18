"""What goes wrong in fine_tune."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import keras
import numpy as np

import course.classification as right
from course.pretraining import WarmupLinearDecay, bert_optimizer
from grading.exercises.classification.checks import tune


class Run:
    """Fine-tuning in steps, one of which a mistake gets wrong. The arguments are those of `fine_tune`."""

    def __init__(
        self,
        model: keras.Model,
        training: right.Examples,
        held_out: right.Examples,
        *,
        learning_rate: float = 2e-5,
        batch_size: int = 8,
        epochs: int = 3,
        warmup: float = 0.1,
        patience: int = 1,
        seed: int = 0,
    ) -> None:
        self.model, self.training, self.held_out = model, training, held_out
        self.learning_rate, self.batch_size, self.epochs = learning_rate, batch_size, epochs
        self.warmup, self.patience = warmup, patience
        self.random = np.random.default_rng(seed)
        self.history: dict[str, list[float]] = {"loss": [], "held_out_loss": []}

    def total_steps(self) -> int:
        return self.epochs * math.ceil(len(self.training[1]) / self.batch_size)

    def learning_rates(self) -> Any:
        steps = self.total_steps()
        return WarmupLinearDecay(self.learning_rate, int(self.warmup * steps), steps)

    def optimizer(self) -> keras.optimizers.Optimizer:
        return bert_optimizer(self.model, self.learning_rates())

    def cross_entropy(self) -> keras.losses.Loss:
        return keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    def training_batches(self) -> Iterator[right.Examples]:
        return right.batches(*self.training, self.batch_size, self.random)

    def mean(self, step: Callable[..., Any], examples: Iterator[right.Examples]) -> float:
        return right.mean_loss(step, examples)

    def measure(self) -> float:
        return self.mean(self.model.test_on_batch, right.batches(*self.held_out, self.batch_size))

    def watched(self) -> list[float]:
        return self.history["held_out_loss"]

    def is_time_to_stop(self, waited: int) -> bool:
        return waited >= self.patience

    def finish(self, best_weights: list[np.ndarray]) -> None:
        self.model.set_weights(best_weights)

    def run(self) -> dict[str, list[float]]:
        self.model.compile(self.optimizer(), self.cross_entropy(), jit_compile=right.USE_XLA)
        best_weights, waited = self.model.get_weights(), 0
        for _ in range(self.epochs):
            self.history["loss"].append(self.mean(self.model.train_on_batch, self.training_batches()))
            self.history["held_out_loss"].append(self.measure())
            *earlier, last = self.watched()
            waited += 1
            if last < min(earlier, default=math.inf):
                best_weights, waited = self.model.get_weights(), 0
            if self.is_time_to_stop(waited):
                break
        self.finish(best_weights)
        return self.history


def mistake(sentence: str, *, hint: str) -> Callable[[type[Run]], type[Run]]:
    """Registers a run as a known mistake of the function."""

    def register(wrong: type[Run]) -> type[Run]:
        def fine_tune(*args: Any, **kwargs: Any) -> dict[str, list[float]]:
            return wrong(*args, **kwargs).run()

        fine_tune.__name__ = wrong.__name__
        tune.whole_mistake(sentence, hint=hint)(fine_tune)
        return wrong

    return register


@mistake(
    "The learning rate stays the same from the first step to the last.",
    hint="bert_optimizer takes a schedule as well as a number.",
)
class ConstantRate(Run):
    def learning_rates(self) -> Any:
        return self.learning_rate


@mistake(
    "The learning rate starts at its peak: there is no warm-up.",
    hint="`warmup` is a share. How many steps is that?",
)
class NoWarmup(Run):
    def learning_rates(self) -> Any:
        return WarmupLinearDecay(self.learning_rate, 0, self.total_steps())


@mistake(
    "The learning rate rises, and then never falls.",
    hint="WarmupLinearDecay ends at 0 where you tell it that the training ends.",
)
class NeverFalls(Run):
    def learning_rates(self) -> Any:
        steps = self.total_steps()
        return WarmupLinearDecay(self.learning_rate, int(self.warmup * steps), 10**9)


@mistake(
    "The schedule has the steps of one epoch: in the epochs after it, nothing is learned.",
    hint="How many steps are there in all epochs together?",
)
class ScheduleOfOneEpoch(Run):
    def total_steps(self) -> int:
        return super().total_steps() // self.epochs


@mistake(
    "The steps of an epoch are rounded down: the last, smaller batch is a step, too.",
    hint="10 texts in batches of 4 are how many steps?",
)
class StepsRoundedDown(Run):
    def total_steps(self) -> int:
        return self.epochs * (len(self.training[1]) // self.batch_size)


@mistake(
    "learning_rate is ignored: the optimizer uses its own, 0.001.",
    hint="An optimizer that is named by a text has the learning rate of its makers.",
)
class OwnLearningRate(Run):
    def learning_rates(self) -> Any:
        return 0.001


@mistake(
    "The loss takes the logits for probabilities.",
    hint="Who applies the softmax, the model or the loss? The loss must be told.",
)
class LogitsAsProbabilities(Run):
    def cross_entropy(self) -> keras.losses.Loss:
        return keras.losses.SparseCategoricalCrossentropy()


@mistake(
    "The losses of a batch are summed up, not averaged.",
    hint="The size of a batch should not change what its loss is.",
)
class SummedLoss(Run):
    def cross_entropy(self) -> keras.losses.Loss:
        return keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="sum")


@mistake(
    "Only the last layer is trained: the encoder stays as it was.",
    hint="Fine-tuning changes all weights. What sets `trainable` to False?",
)
class EncoderFrozen(Run):
    def run(self) -> dict[str, list[float]]:
        for layer in self.model.layers[:-1]:
            layer.trainable = False
        return super().run()


@mistake(
    "The matrices do not decay: the optimizer is Adam, not AdamW.",
    hint="bert_optimizer of chapter 7 knows what decays.",
)
class NoDecay(Run):
    def optimizer(self) -> keras.optimizers.Optimizer:
        return keras.optimizers.Adam(self.learning_rates(), epsilon=1e-6)


@mistake(
    "The biases decay, too.",
    hint="AdamW pulls at everything unless it is told what to leave alone. Chapter 7 has an optimizer that is.",
)
class BiasesDecay(Run):
    def optimizer(self) -> keras.optimizers.Optimizer:
        return keras.optimizers.AdamW(self.learning_rates(), weight_decay=0.01, epsilon=1e-6)


@mistake(
    "The texts come in the same order in every run and every epoch.",
    hint="`batches` takes a source of random numbers. `seed` says where it starts.",
)
class NeverShuffled(Run):
    def training_batches(self) -> Iterator[right.Examples]:
        return right.batches(*self.training, self.batch_size)


@mistake(
    "The last batch is left out where it is smaller.",
    hint="Which texts would never be seen if they were not shuffled?",
)
class LastBatchLeftOut(Run):
    def training_batches(self) -> Iterator[right.Examples]:
        return (batch for batch in super().training_batches() if len(batch[1]) == self.batch_size)


@mistake(
    "The loss is the mean of the batches' means: texts of a smaller batch count for more.",
    hint="A batch of two must not count as much as one of four. mean_loss takes care of that.",
)
class MeanOfMeans(Run):
    def mean(self, step: Callable[..., Any], examples: Iterator[right.Examples]) -> float:
        return float(np.mean([step(*batch) for batch in examples]))


@mistake(
    "The held-out texts are trained on while they are measured.",
    hint="Of train_on_batch and test_on_batch, which one leaves the weights alone?",
)
class HeldOutTrainedOn(Run):
    def measure(self) -> float:
        return self.mean(self.model.train_on_batch, right.batches(*self.held_out, self.batch_size))


@mistake(
    "Dropout is on while the held-out loss is measured.",
    hint="A model that is measured should be as it will be used. What does test_on_batch do that a call does not?",
)
class DropoutWhileMeasuring(Run):
    def measure(self) -> float:
        cross_entropy = self.cross_entropy()
        examples = right.batches(*self.held_out, self.batch_size)
        return self.mean(
            lambda inputs, labels: float(cross_entropy(labels, self.model(inputs, training=True))), examples
        )


@mistake(
    "What is called the held-out loss is measured on the training texts.",
    hint="Of what has been learned by heart, the loss says nothing. Which texts has the model not seen?",
)
class MeasuredOnTraining(Run):
    def measure(self) -> float:
        return self.mean(self.model.test_on_batch, right.batches(*self.training, self.batch_size))


@mistake(
    "Training never stops early.",
    hint="`patience` says how many epochs without a new lowest loss are one too many.",
)
class NeverStops(Run):
    def is_time_to_stop(self, waited: int) -> bool:
        return False


@mistake(
    "Training stops at the first epoch that is not the best so far, whatever patience is.",
    hint="A loss may rise for an epoch and fall again. How many such epochs does `patience` allow?",
)
class Impatient(Run):
    def is_time_to_stop(self, waited: int) -> bool:
        return waited >= 1


@mistake(
    "Training stops one epoch too late.",
    hint="With a patience of 1, it stops after the first epoch that is not the best so far.",
)
class OneEpochLate(Run):
    def is_time_to_stop(self, waited: int) -> bool:
        return waited > self.patience


@mistake(
    "The model is left with the weights of the last epoch, not of the best.",
    hint="When it is time to stop, the model has been getting worse for a while. Where are its best weights?",
)
class LastWeightsKept(Run):
    def finish(self, best_weights: list[np.ndarray]) -> None:
        pass


@mistake(
    "The loss in training decides when to stop; it nearly always falls.",
    hint="Stop by the texts that the model does not learn from.",
)
class WatchesTraining(Run):
    def watched(self) -> list[float]:
        return self.history["loss"]


@mistake(
    "The best weights are put back only where training stops early; after all epochs, the last ones stay.",
    hint="The last epoch may not be the best one, even if nobody ran out of patience.",
)
class BestOnlyIfStopped(Run):
    def finish(self, best_weights: list[np.ndarray]) -> None:
        if len(self.history["held_out_loss"]) < self.epochs:
            super().finish(best_weights)
