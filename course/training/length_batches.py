"""Batches of texts of similar lengths, each padded no more than needed."""

from __future__ import annotations

from collections.abc import Iterator

import keras
import numpy as np

from course.classification import Inputs, require_known_ids
from course.data.corpus.length_buckets import bucket_lengths
from course.validation.arrays import require_inputs, require_range
from course.validation.values import require_sizes

# Each length is compiled separately, so there are only a few.
_MOST_LENGTHS = 8
# The texts of this many batches are sorted together. A larger number gives less padding, and less random batches.
_POOL = 50

Batch = tuple[np.ndarray, Inputs]


def batches_of_like_lengths(
    inputs: Inputs, batch_size: int, random: np.random.Generator | None = None
) -> Iterator[Batch]:
    """Divide texts into batches, each as long as the longest of its texts, rounded up to one of a few lengths.

    Every text comes once, so one batch may be smaller. Only padding is cut off.

    Args:
        inputs: arrays of (texts, length), including "padding_mask".
        batch_size: the largest number of texts in a batch.
        random: draws which texts share a batch, and the order of the batches. None: from short to long.

    Yields:
        The numbers of the texts, (batch,), and their inputs, (batch, shorter length) each.

    Raises:
        ValueError: inputs have no "padding_mask", or a size is below 1.
    """
    require_inputs(inputs, ("padding_mask",))
    require_sizes(batch_size=batch_size)
    lengths = _ends(inputs["padding_mask"])
    rounded = bucket_lengths(np.bincount(lengths), _MOST_LENGTHS)
    order = np.arange(len(lengths)) if random is None else random.permutation(len(lengths))
    pool = len(order) if random is None else _POOL * batch_size
    sorted_pools = [
        rows[np.argsort(lengths[rows], kind="stable")]
        for rows in (order[start : start + pool] for start in range(0, len(order), pool))
    ]
    batches = [rows[start : start + batch_size] for rows in sorted_pools for start in range(0, len(rows), batch_size)]
    for number in range(len(batches)) if random is None else random.permutation(len(batches)):
        rows = batches[number]
        length = rounded[np.searchsorted(rounded, lengths[rows].max())]
        yield rows, {name: array[rows, :length] for name, array in inputs.items()}


def _ends(padding_mask: np.ndarray) -> np.ndarray:
    """Return where each row ends, (texts,): after its last token, because a row may have padding in its middle, too."""
    behind = padding_mask[:, ::-1].argmax(axis=1)
    return np.where(padding_mask.any(axis=1), padding_mask.shape[1] - behind, 0)


def batches_in(count: int, batch_size: int) -> int:
    """Return how many batches `batches_of_like_lengths` makes of this many texts, in random order."""
    whole_pools, rest = divmod(count, _POOL * batch_size)
    return whole_pools * _POOL + -(-rest // batch_size)


def require_encoder_ids(model: keras.Model, inputs: Inputs) -> None:
    """Raise a ValueError unless there are rows, and the encoder of this model has a row for each of their ids.

    `require_known_ids` checks the ids of a `TextClassifier` alone.
    """
    require_known_ids(model, inputs)
    size = model.encoder.vocabulary_size
    require_range(inputs["token_ids"], "token_ids", size, "which the encoder has rows for")
