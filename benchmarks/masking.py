"""Masking rows of 128 tokens, beside keras-hub's `MaskedLMMaskGenerator`.

Both select 15% of the words of the same batch, and return their positions. Both are compiled, ours as inside the
training step, keras-hub's as inside `tf.data`. The result is in rows per second.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.turns import Goal, Work, goal_rows, take_turns

LENGTH, PREDICTIONS, PIECES, CALLS, TURNS = 128, 19, 8000, 20, 7
GOALS: list[Goal] = [
    ("ours_32_rows", "keras_hub_32_rows", 1.0),
    ("ours_1024_rows", "keras_hub_1024_rows", 1.0),
]


def measure() -> list[dict[str, Any]]:
    """A row for each goal."""
    return goal_rows(take_turns("benchmarks.masking", GOALS, TURNS), GOALS, "rows/s")


def ours_32_rows() -> Work:
    return _ours(32)


def ours_1024_rows() -> Work:
    return _ours(1024)


def keras_hub_32_rows() -> Work:
    return _keras_hub(32)


def keras_hub_1024_rows() -> Work:
    return _keras_hub(1024)


def _ours(rows: int) -> Work:
    import keras

    from course.masked_lm import mask_tokens, masked_positions

    probabilities = np.where(np.arange(PIECES) < 5, 0.0, 1.0 / (PIECES - 5))
    seed = keras.random.SeedGenerator(0)

    def mask(token_ids: Any) -> Any:
        masked, selected = mask_tokens(token_ids, probabilities, 4, range(5), seed=seed)
        return masked, masked_positions(selected)

    return _called_again_and_again(mask, rows)


def _keras_hub(rows: int) -> Work:
    import keras_hub

    generator = keras_hub.layers.MaskedLMMaskGenerator(
        vocabulary_size=PIECES,
        mask_selection_rate=0.15,
        mask_token_id=4,
        mask_selection_length=PREDICTIONS,
        unselectable_token_ids=list(range(5)),
    )
    return _called_again_and_again(generator, rows)


def _called_again_and_again(mask: Any, rows: int) -> Work:
    import tensorflow as tf

    token_ids = tf.constant(np.random.default_rng(0).integers(5, PIECES, (rows, LENGTH)), tf.int32)
    compiled = tf.function(mask)

    def work() -> float:
        for _ in range(CALLS):
            compiled(token_ids)
        return CALLS * rows

    return work
