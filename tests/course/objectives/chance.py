"""Chi-square tests that raise a false alarm for fewer than one seed of a million."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

FALSE_ALARM = 1e-6


def assert_plausible(observed: Any, shares: Any) -> None:
    """Counts agree with the shares that they should have; cells that expect fewer than 10 are pooled."""
    observed, shares = np.asarray(observed, float), np.asarray(shares, float)
    assert observed.sum() > 0
    assert not observed[shares == 0].any()
    expected = observed.sum() * shares / shares.sum()
    rare = expected < 10
    if rare.any() and expected[rare].sum() > 0:
        observed = np.append(observed[~rare], observed[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    else:
        observed, expected = observed[~rare], expected[~rare]
    assert stats.chisquare(observed, expected).pvalue > FALSE_ALARM
