"""Chi-square tests with a false alarm for fewer than one seed in a million."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

FALSE_ALARM = 1e-6


def assert_plausible(observed: Any, shares: Any) -> None:
    """Assert that counts agree with their expected shares. Cells with expected counts below 10 are pooled."""
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
