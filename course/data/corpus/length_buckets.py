"""Batches of rows of about one length, so that next to nothing of them is padding.

Compiled code wants few different lengths, and texts have many. So there are some lengths, the buckets, and each text
goes into the shortest that holds it.
"""

from __future__ import annotations

import numpy as np


def bucket_lengths(counts: np.ndarray, most: int) -> np.ndarray:
    """The lengths that need the least padding for these texts.

    Args:
        counts: (max_length + 1,), how many texts there are of each length.
        most: how many lengths to choose, at most.

    Returns:
        The lengths, ascending. The last one is that of the longest text.

    Example:
        >>> bucket_lengths(np.array([0, 0, 9, 0, 1, 5]), most=2)
        array([2, 5])
    """
    lengths = np.flatnonzero(counts)  # a bucket between two lengths of texts would only be longer
    texts = np.concatenate([[0], np.cumsum(counts[lengths])])  # texts[i]: how many are shorter than lengths[i]
    # cost[i]: the tokens of all texts of lengths[:i] in the buckets chosen so far, of which the last is lengths[i - 1].
    cost = np.full(len(lengths) + 1, np.inf)
    cost[0] = 0.0
    choices = []
    for _ in range(min(most, len(lengths))):
        # One bucket more: it holds lengths[before:end], at lengths[end - 1] each.
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
    """Puts texts into batches, each of one bucket and of as many rows as make `batch_tokens`, in random order.

    What is left of a bucket goes on into the next longer one. Less than a batch is left in the end, and left out; an
    other few each time.

    Args:
        lengths: (texts,), none of them longer than the longest bucket.
        buckets: ascending, of `bucket_lengths`.
        batch_tokens: how many tokens a batch has at most, padding among them.
        multiple: what the number of rows must be a multiple of, such as the number of devices.
        random: draws which rows come together, and in which order batches come.

    Returns:
        For each batch the length of its rows, and their numbers.
    """
    bucket = np.searchsorted(buckets, lengths)  # (texts,)
    left = np.array([], "int64")
    found = []
    for number, length in enumerate(buckets):
        rows = np.concatenate([left, random.permutation(np.flatnonzero(bucket == number))])
        size = rows_in_a_batch(int(length), batch_tokens, multiple)
        full = len(rows) // size * size
        found += [(int(length), batch) for batch in rows[:full].reshape(-1, size)]
        left = rows[full:]
    return [found[place] for place in random.permutation(len(found))]


def rows_in_a_batch(length: int, batch_tokens: int, multiple: int) -> int:
    """How many rows of this length are in a batch, which has room for `multiple` of them."""
    return batch_tokens // length // multiple * multiple
