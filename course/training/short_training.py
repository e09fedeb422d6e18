"""Train a model that has an encoder, all of its weights, on a few thousand texts for a few epochs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras
import numpy as np

from course.classification import USE_XLA, Inputs
from course.pretraining import WarmupLinearDecay, bert_optimizer
from course.training.length_batches import batches_in, batches_of_like_lengths, require_encoder_ids
from course.validation.values import require_numbers, require_seed, require_sizes


def compile_for(model: keras.Model, loss: Callable[..., Any], learning_rate: float, steps: int) -> None:
    """Compile a model for `steps` steps: the learning rate rises for a tenth of them, and then falls to 0 at the last.

    Args:
        model: built.
        loss: a function of the targets and the model's outputs.
        learning_rate: the peak.
        steps: of all epochs.

    Raises:
        ValueError: a number is not a valid size or learning rate.
    """
    schedule = WarmupLinearDecay(learning_rate, steps // 10, steps)
    model.compile(bert_optimizer(model, schedule), loss, jit_compile=USE_XLA)


def train_on_texts(
    model: keras.Model,
    inputs: Inputs,
    wanted: np.ndarray,
    loss: Callable[..., Any],
    *,
    learning_rate: float,
    batch_size: int,
    epochs: int,
    seed: int,
    step: Callable[[float], object] = lambda loss: None,
) -> list[float]:
    """Train a model on batches of texts of similar lengths, in random order.

    Args:
        model: built, with an encoder.
        inputs: (texts, length) each.
        wanted: (texts, ...), the target of each text.
        loss: a function of the targets and the model's outputs.
        learning_rate: the peak, as in `compile_for`.
        batch_size: how many texts a step sees.
        epochs: how often all texts are seen.
        seed: of the random order.
        step: called with the loss of each step.

    Returns:
        The mean loss of each epoch.

    Raises:
        ValueError: there are no texts, ids are unknown, or a number is not a valid size.
    """
    require_sizes(batch_size=batch_size, epochs=epochs)
    require_numbers(learning_rate=learning_rate)
    require_seed(seed)
    require_encoder_ids(model, inputs)
    compile_for(model, loss, learning_rate, steps=epochs * batches_in(len(wanted), batch_size))
    random, history = np.random.default_rng(seed), []
    for _ in range(epochs):
        losses = []
        for rows, batch in batches_of_like_lengths(inputs, batch_size, random):
            losses.append(float(model.train_on_batch(batch, wanted[rows])))
            step(losses[-1])
        history.append(float(np.mean(losses)))
    return history
