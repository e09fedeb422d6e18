"""Full fine-tuning: layer-wise learning rates, batches of similar lengths, and the weights of the best epoch.

It is `course.classification.fine_tune`, with the additions that a run over many articles needs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import keras
import numpy as np

from course.classification import USE_XLA, Examples, TextClassifier, accuracy, require_examples
from course.errors import CourseError
from course.pretraining import WarmupLinearDecay
from course.training.epoch_checkpoint import EpochKeeper, EpochState, Row
from course.training.last_block import first_token_alone
from course.training.layerwise_decay import LayerwiseAdamW
from course.training.length_batches import batches_in, batches_of_like_lengths
from course.training.logits import predict_logits
from course.training.word_dropout import WordDropout
from course.validation.values import require_instance, require_numbers, require_seed, require_shares, require_sizes


@dataclass(frozen=True)
class Recipe:
    """How a classifier is trained.

    Attributes:
        learning_rate: the peak, for the top layer.
        layer_decay: each lower layer has the learning rate of the layer above times this.
        batch_size: how many texts a step sees.
        epochs: the largest number of epochs.
        warmup: the share of the steps in which the learning rate rises.
        patience: training stops after this many epochs without a new best one.
        dropout: share of the pooled output that is dropped.

    Raises:
        ValueError: a number is out of its range.
    """

    learning_rate: float = 3e-4
    layer_decay: float = 0.8
    batch_size: int = 32
    epochs: int = 4
    warmup: float = 0.1
    patience: int = 2
    dropout: float = 0.1

    def __post_init__(self) -> None:
        require_numbers(learning_rate=self.learning_rate)
        require_sizes(batch_size=self.batch_size, epochs=self.epochs, patience=self.patience)
        require_shares(warmup=self.warmup, dropout=self.dropout)


class Watcher(Protocol):
    """Receives the progress of a training."""

    def begin(self, seed: int, total: int) -> None:
        """Called when the training with this seed begins; it has at most `total` steps."""

    def step(self, loss: float) -> None:
        """Called after each step."""

    def row(self, row: Row) -> None:
        """Called with the measurements of each epoch."""


def train_classifier(
    model: TextClassifier,
    training: Examples,
    held_out: Examples,
    recipe: Recipe,
    seed: int,
    watcher: Watcher,
    word_dropout: WordDropout | None = None,
    keeper: EpochKeeper | None = None,
) -> list[Row]:
    """Train all weights of a classifier, and leave it with those of its best epoch.

    The best epoch has the highest accuracy on `held_out`; of equal ones, the lowest loss there.

    Args:
        model: built.
        training: inputs and labels to learn from.
        held_out: inputs and labels to stop by.
        recipe: the settings.
        seed: determines the order of the texts, and which words are hidden.
        watcher: receives the progress.
        word_dropout: hides words in each step; by default none.
        keeper: saves each epoch, and restores those of an interrupted training.

    Returns:
        The measurements of each epoch that was run.

    Raises:
        Stopped: the keeper was asked to stop here.
        CourseError: the loss is no longer finite.
        TypeError: `model` is not a classifier.
        ValueError: inputs or labels do not fit the model or each other, a decay is not above 0 and at most 1, or the
            seed is not valid.
    """
    require_instance(model, "model", TextClassifier)
    require_seed(seed)
    for examples in (training, held_out):
        require_examples(model, examples, model.num_classes)
    inputs, labels = training
    steps = batches_in(len(labels), recipe.batch_size)
    total = recipe.epochs * steps
    schedule = WarmupLinearDecay(recipe.learning_rate, math.floor(recipe.warmup * total), total)
    optimizer = LayerwiseAdamW(model, model.encoder.num_layers, schedule, layer_decay=recipe.layer_decay)
    model.compile(optimizer, keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=USE_XLA)
    model.optimizer.build(model.trainable_variables)  # in float16, Keras has put another around ours
    watcher.begin(seed, total)

    random = np.random.default_rng(seed)
    state = keeper.resume(model, random) if keeper else EpochState(model.get_weights())
    for row in state.rows:
        for _ in range(steps):
            watcher.step(row["loss"])
        watcher.row(row)
    for epoch in range(len(state.rows) + 1, recipe.epochs + 1):
        if state.waited == recipe.patience:
            break
        _seed_dropout(seed, epoch)
        losses, sizes = [], []
        for texts, batch in batches_of_like_lengths(inputs, recipe.batch_size, random):
            if word_dropout:
                batch["token_ids"] = word_dropout(batch["token_ids"], random)
            with first_token_alone(model):
                loss = float(model.train_on_batch(batch, labels[texts]))
            _require_finite(loss, seed, epoch)
            losses.append(loss)
            sizes.append(len(texts))
            watcher.step(loss)
        logits = predict_logits(model, held_out[0])
        row = {
            "epoch": epoch,
            "loss": float(np.average(losses, weights=sizes)),
            "held_out_loss": mean_cross_entropy(held_out[1], logits),
            "held_out_accuracy": accuracy(held_out[1], logits),
        }
        state.measured(row, model)
        watcher.row(row)
        if keeper:
            keeper.save(model, random, state)
    model.set_weights(state.best_weights)
    return state.rows


def _seed_dropout(seed: int, epoch: int) -> None:
    """Seed PyTorch's dropout for an epoch, because its generator is not in the checkpoint."""
    if keras.backend.backend() == "torch":
        import torch

        torch.manual_seed(int(np.random.SeedSequence((seed, epoch)).generate_state(1)[0]))


def mean_cross_entropy(labels: np.ndarray, logits: np.ndarray) -> float:
    """Return the mean over texts of -log softmax(logits) at their labels."""
    logits = logits.astype("float64")
    return float(np.mean(np.logaddexp.reduce(logits, axis=1) - logits[np.arange(len(labels)), labels]))


def _require_finite(loss: float, seed: int, epoch: int) -> None:
    if not math.isfinite(loss):
        raise CourseError(
            f"the loss is {loss} in epoch {epoch} of seed {seed}. Try a smaller --learning-rate or --dtype float32."
        )
