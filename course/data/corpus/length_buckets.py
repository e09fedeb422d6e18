"""Batches of rows of about the same length, so that hardly any of them is padding.

Compiled code wants few different lengths, and texts have many. So a few lengths are chosen, the buckets, and each text
goes into the shortest bucket that holds it.
"""

from __future__ import annotations

import numpy as np


def bucket_lengths(counts: np.ndarray, max_buckets: int) -> np.ndarray:
    """Choose the lengths that need the least padding for these texts.

    Args:
        counts: (max_length + 1,), how many texts there are of each length.
        max_buckets: the largest number of lengths to choose.

    Returns:
        The lengths, ascending. The last one is that of the longest text.

    Example:
        >>> bucket_lengths(np.array([0, 0, 9, 0, 1, 5]), max_buckets=2)
        array([2, 5])
    """
    lengths = np.flatnonzero(counts)  # a bucket between two lengths of texts would only be longer
    texts = np.concatenate([[0], np.cumsum(counts[lengths])])  # texts[i]: how many are shorter than lengths[i]
    # cost[i]: the tokens of all texts of lengths[:i] in the buckets chosen so far, the last of which is lengths[i - 1].
    cost = np.full(len(lengths) + 1, np.inf)
    cost[0] = 0.0
    choices = []
    for _ in range(min(max_buckets, len(lengths))):
        # One more bucket: it holds lengths[before:end], each padded to lengths[end - 1].
        with_one = cost[None, :] + (texts[1:, None] - texts[None, :]) * lengths[:, None]  # (end - 1, before)
        with_one[np.arange(len(lengths) + 1)[None, :] > np.arange(len(lengths))[:, None]] = np.inf
        best = with_one.argmin(axis=1)
        choices.append(best)
        cost = np.concatenate([[np.inf], with_one[np.arange(len(lengths)), best]])
    chosen, end = [], len(lengths)
    for best in reversed(choices):
        chosen.append(lengths[end - 1])
        end = best[end - 1]
    return np.array(chosen[::-1])


def batches_of(
    lengths: np.ndarray, buckets: np.ndarray, batch_tokens: int, multiple: int, random: np.random.Generator
) -> list[tuple[int, np.ndarray]]:
    """Put texts into batches, each of one bucket and as many rows as `batch_tokens` allows, in random order.

    Rows left over from a bucket move to the next longer one. In the end fewer rows than a batch are left over; they
    are dropped, different ones in each draw.

    Args:
        lengths: (texts,), none of them longer than the longest bucket.
        buckets: ascending, from `bucket_lengths`.
        batch_tokens: the largest number of tokens in a batch, including padding.
        multiple: the number of rows must be a multiple of this, such as the number of devices.
        random: draws which rows share a batch, and the order of the batches.

    Returns:
        For each batch the length of its rows, and their numbers.
    """
    bucket = np.searchsorted(buckets, lengths)  # (texts,)
    left = np.array([], "int64")
    batches = []
    for number, length in enumerate(buckets):
        rows = np.concatenate([left, random.permutation(np.flatnonzero(bucket == number))])
        size = rows_in_a_batch(int(length), batch_tokens, multiple)
        full = len(rows) // size * size
        batches += [(int(length), batch) for batch in rows[:full].reshape(-1, size)]
        left = rows[full:]
    return [batches[place] for place in random.permutation(len(batches))]


def rows_in_a_batch(length: int, batch_tokens: int, multiple: int) -> int:
    """How many rows of this length a batch has; it must have room for at least `multiple` of them."""
    return batch_tokens // length // multiple * multiple
