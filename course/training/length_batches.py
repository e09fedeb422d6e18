"""Batches of texts of about one length, each padded to no more than it needs."""

from __future__ import annotations

from collections.abc import Iterator

import keras
import numpy as np

from course.classification import Inputs, require_known_ids
from course.data.corpus.length_buckets import bucket_lengths
from course.validation.arrays import require_inputs, require_range
from course.validation.values import require_sizes

# Compiled code is compiled anew for each length, so there are only so many.
_MOST_LENGTHS = 8
# Of how many batches the texts are sorted together. More: less padding, and batches that come less by chance.
_POOL = 50

Batch = tuple[np.ndarray, Inputs]


def batches_of_like_lengths(
    inputs: Inputs, batch_size: int, random: np.random.Generator | None = None
) -> Iterator[Batch]:
    """Cuts texts into batches, each as long as the longest of its texts, rounded up to one of a few lengths.

    Every text comes once, so one batch may be smaller. What is cut off is padding alone.

    Args:
        inputs: arrays of (texts, length), "padding_mask" among them.
        batch_size: how many texts a batch has at most.
        random: draws which texts come together, and in which order batches come. None: from short to long.

    Yields:
        The numbers of the texts, (batch,), and their inputs, (batch, shorter length) each.

    Raises:
        ValueError: inputs without "padding_mask", or a size below 1.
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
    """How far each row goes, (texts,): up to its last token, since there may be padding in the middle of a row, too."""
    behind = padding_mask[:, ::-1].argmax(axis=1)
    return np.where(padding_mask.any(axis=1), padding_mask.shape[1] - behind, 0)


def batches_in(count: int, batch_size: int) -> int:
    """How many batches `batches_of_like_lengths` gives for so many texts, in random order."""
    whole_pools, rest = divmod(count, _POOL * batch_size)
    return whole_pools * _POOL + -(-rest // batch_size)


def require_encoder_ids(model: keras.Model, inputs: Inputs) -> None:
    """Raises a ValueError unless there are rows, and the encoder of this model has a row for each of their ids.

    `require_known_ids` looks at the ids of a `TextClassifier` alone.
    """
    require_known_ids(model, inputs)
    size = model.encoder.vocabulary_size
    require_range(inputs["token_ids"], "token_ids", size, "which the encoder has rows for")
