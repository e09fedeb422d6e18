"""Train a translator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from course.applications.translation.translators import SequenceToSequence, require_sources
from course.classification import USE_XLA
from course.validation.values import require_numbers, require_seed, require_sizes

POINTS_OF_A_CURVE = 20


def train(
    model: SequenceToSequence,
    source_ids: np.ndarray,
    inputs: np.ndarray,
    labels: np.ndarray,
    weights: np.ndarray,
    *,
    steps: int,
    batch_size: int = 32,
    learning_rate: float = 5e-3,
    seed: int = 0,
    callbacks: Sequence[keras.callbacks.Callback] = (),
) -> list[float]:
    """Train a translator on texts in random order.

    The learning rate rises in the first tenth of the steps, and then falls along a cosine, to 2.5% of its peak: Keras
    counts the steps of the fall after the warm-up, so the last tenth of them is never trained.

    Args:
        model: returns logits for (source_ids, inputs).
        source_ids: integers, (texts, source_length).
        inputs, labels, weights: (texts, length) each, as `teacher_forcing` makes them.
        steps: the number of batches, at least 20, rounded down to a multiple of 20.
        batch_size: texts per batch.
        learning_rate: the peak learning rate.
        seed: of the random order.
        callbacks: Keras callbacks. An epoch is a twentieth of the steps.

    Returns:
        The mean loss of each twentieth of the steps.

    Raises:
        ValueError: empty texts, arrays that do not fit each other, or an invalid size.
    """
    require_sizes(steps=steps, batch_size=batch_size)
    require_numbers(learning_rate=learning_rate)
    require_seed(seed)
    require_sources(source_ids, model.source_words)
    arrays = tuple(np.asarray(array) for array in (source_ids, inputs, labels, weights))
    if len({len(array) for array in arrays}) > 1 or len({array.shape for array in arrays[1:]}) > 1:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise ValueError(f"each text needs inputs, labels and weights, all of one length. Received: {shapes}")
    if steps < POINTS_OF_A_CURVE:
        raise ValueError(f"steps must be at least {POINTS_OF_A_CURVE}. Received: {steps}")
    schedule = keras.optimizers.schedules.CosineDecay(0.0, steps, warmup_target=learning_rate, warmup_steps=steps // 10)
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="mean_with_sample_weight")
    model.compile(keras.optimizers.Adam(schedule, global_clipnorm=1.0), loss, jit_compile=USE_XLA)
    # Built inside the first compiled step, weights and optimizer would make TensorFlow trace the step twice.
    model(tuple(ops.convert_to_tensor(array[:1]) for array in arrays[:2]))
    model.optimizer.build(model.trainable_variables)
    history = model.fit(
        _batches(arrays, batch_size, np.random.default_rng(seed)),
        epochs=POINTS_OF_A_CURVE,
        steps_per_epoch=steps // POINTS_OF_A_CURVE,
        callbacks=list(callbacks),
        shuffle=False,
        verbose=0,
    )
    return [float(value) for value in history.history["loss"]]


def _batches(arrays: Sequence[np.ndarray], batch_size: int, random: np.random.Generator) -> Iterator[tuple[Any, ...]]:
    """Yield batches endlessly, each epoch in another order."""
    source_ids, inputs, labels, weights = arrays
    left = np.empty(0, int)
    while True:
        while len(left) < batch_size:
            left = np.concatenate([left, random.permutation(len(source_ids))])
        rows, left = left[:batch_size], left[batch_size:]
        yield (source_ids[rows], inputs[rows]), labels[rows], weights[rows]
