"""Train a tagger: all of its weights, on the tokens that have a label."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import keras
import numpy as np
from keras import ops

from course.classification import Inputs
from course.entities import token_loss
from course.training.frozen import frozen
from course.training.length_batches import batches_in, batches_of_like_lengths, require_encoder_ids
from course.training.short_training import compile_for
from course.validation.values import require_instance, require_numbers, require_seed, require_sizes


def train_tagger(
    model: keras.Model,
    inputs: Inputs,
    labels: np.ndarray,
    *,
    learning_rate: float = 1e-3,
    batch_size: int = 16,
    epochs: int = 4,
    seed: int = 0,
    loss: Callable[..., Any] | None = None,
    on_step: Callable[[int, int, float], None] | None = None,
    on_epoch: Callable[[int], None] | None = None,
) -> list[float]:
    """Train a tagger on all rows, in random order.

    The learning rate rises for a tenth of all steps, and falls to 0 at the last one.

    Args:
        model: a `TokenClassifier`, with any weights.
        inputs: (rows, length) each.
        labels: (rows, length), ids of tags, or -100.
        learning_rate: the peak learning rate.
        batch_size: rows per step.
        epochs: passes over all rows.
        seed: of the random order.
        loss: of labels and logits. None: `token_loss`.
        on_step: called after each step with the number of steps done, the number of all steps, and the loss.
        on_epoch: called after each epoch with the number of epochs done. It may measure the model.

    Returns:
        The mean loss of each epoch.

    Raises:
        TypeError: not a model.
        ValueError: labels that do not fit the inputs or the model, or an invalid size.
    """
    require_instance(model, "model", keras.Model)
    require_sizes(batch_size=batch_size, epochs=epochs)
    require_numbers(learning_rate=learning_rate)
    require_seed(seed)
    require_encoder_ids(model, inputs)
    _require_labels(model, inputs, labels)
    if not model.built:
        model.build({"token_ids": (None, None)})
    steps = batches_in(len(labels), batch_size)
    of_tokens = token_loss if loss is None else loss
    random, done, history = np.random.default_rng(seed), 0, []
    with frozen(model.encoder.pooler):  # no tag depends on it
        # Keras passes labels to a loss as floats.
        compile_for(
            model, lambda true, logits: of_tokens(ops.cast(true, "int32"), logits), learning_rate, steps * epochs
        )
        for _ in range(epochs):
            losses = []
            for rows, batch in batches_of_like_lengths(inputs, batch_size, random):
                length = batch["token_ids"].shape[1]
                losses.append(float(model.train_on_batch(batch, labels[rows, :length])))
                done += 1
                if on_step is not None:
                    on_step(done, steps * epochs, losses[-1])
            history.append(float(np.mean(losses)))
            if on_epoch is not None:
                on_epoch(len(history))
    return history


def predict_tags(model: keras.Model, inputs: Inputs, batch_size: int = 64) -> np.ndarray:
    """Return log P of each tag for each token: float32, (rows, length, num_tags). Values at padding mean nothing.

    Raises:
        ValueError: no rows, or ids outside the model's vocabulary.
    """
    require_encoder_ids(model, inputs)
    require_sizes(batch_size=batch_size)
    log_probabilities: np.ndarray | None = None
    for rows, logits in _logits(model, inputs, batch_size):
        if log_probabilities is None:
            log_probabilities = np.zeros((*inputs["token_ids"].shape, logits.shape[-1]), "float32")
        log_probabilities[rows, : logits.shape[1]] = logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)
    assert log_probabilities is not None  # there are rows
    return log_probabilities


def _logits(model: keras.Model, inputs: Inputs, batch_size: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    for rows, batch in batches_of_like_lengths(inputs, batch_size):
        yield rows, np.asarray(model.predict_on_batch(batch), "float32")


def _require_labels(model: keras.Model, inputs: Inputs, labels: np.ndarray) -> None:
    shape = inputs["token_ids"].shape
    if labels.shape != shape:
        raise ValueError(f"each token needs a label, or -100. Received: {labels.shape} labels for {shape} tokens")
    given = labels[labels != -100]
    if not given.size or not 0 <= given.min() <= given.max() < model.num_tags:
        received = f"{given.min()} to {given.max()}" if given.size else "none but -100"
        raise ValueError(
            f"labels must be from 0 to {model.num_tags - 1}, or -100, and not all -100. Received: {received}"
        )
