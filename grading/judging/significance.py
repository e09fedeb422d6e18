"""Whether what was counted can be chance: how exercises are judged whose answer is random."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

# How often a count of right code is taken for a wrong one, at most. A check looks at fewer than 500 counts, so it
# raises a false alarm in fewer than one of a million runs: 500 · 1e-9 < 1e-6.
FALSE_ALARM = 1e-9


def explained_by_chance(counts: ArrayLike, totals: ArrayLike, shares: ArrayLike) -> bool:
    """Whether all counts are what chance allows.

    Chernoff's bound: of n independent draws that hit with probability p, or with p in the mean, a share as far
    above p as q has a probability of at most exp(-n · KL(q‖p)), and likewise below. It holds for every n.

    Args:
        counts: how many of the draws hit.
        totals: how many draws there were.
        shares: how many of them should hit, from 0 to 1, in the mean.
    """
    counts, totals, shares = np.broadcast_arrays(*(np.asarray(x, "float64") for x in (counts, totals, shares)))
    found = counts / np.maximum(totals, 1)
    divergence = _term(found, shares) + _term(1 - found, 1 - shares)
    chances = 2 * np.exp(-totals[totals > 0] * divergence[totals > 0])
    return bool(np.all(chances >= FALSE_ALARM))


def _term(found: np.ndarray, share: np.ndarray) -> np.ndarray:
    """q ln(q / p): 0 where q is 0, and infinite where only p is."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(found > 0, found * np.log(found / share), 0.0)
