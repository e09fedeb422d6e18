"""Whether dropout did what it should: judged on arrays that show each number that was dropped or kept."""

from __future__ import annotations

import numpy as np

from grading.judging.significance import explained_by_chance
from grading.messages import Message


def wrong_dropout(training: np.ndarray, quiet: np.ndarray, rate: float, what: str) -> str | None:
    """What is wrong with numbers of which each should be dropped by itself, and the others scaled up.

    It looks at no more counts than the array has axes, and two, so right code fails once in 10^8 times at most.

    Args:
        training: the numbers in training.
        quiet: the same outside training, none of them 0.
        rate: the share that should be dropped.
        what: what the numbers are called.
    """
    what = Message.of(what)
    quiet = np.broadcast_to(quiet, training.shape)
    dropped = np.abs(training) <= 0.01 * np.abs(quiet)
    if not dropped.any():
        return Message("changes {what} in training, but drops none of them", what=what)
    if not explained_by_chance(dropped.sum(), dropped.size, rate):
        if explained_by_chance(dropped.sum(), dropped.size, 1 - rate):
            return Message("keeps {rate} of {what}, which is the share to drop", what=what, rate=f"{rate:g}")
        return Message("drops another share of {what} than {rate}", what=what, rate=f"{rate:g}")
    if not np.allclose(training[~dropped], quiet[~dropped] / (1 - rate), rtol=2e-3, atol=1e-5):
        return Message("does not keep the other {what}, divided by {kept}", what=what, kept=f"{1 - rate:g}")
    for axis in range(dropped.ndim):
        pairs = dropped.shape[axis] // 2
        first, second = (np.take(dropped, 2 * np.arange(pairs) + one, axis) for one in (0, 1))
        if pairs and not explained_by_chance((first & second).sum(), first.size, rate**2):
            return Message("drops {what} together; wanted each by itself", what=what)
    return None


def drops_within(copies: np.ndarray) -> bool:
    """Whether something within a part was dropped, too, and not only the single feature that the part returns.

    If only that feature is dropped, or nothing, then no place has more than two values, whatever is added or normed.

    Args:
        copies: (copy, ...), the same text many times, each with its own dropout.
    """
    return bool(((np.diff(np.sort(copies, axis=0), axis=0) > 1e-4).sum(axis=0) > 1).any())
