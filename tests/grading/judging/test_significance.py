"""What right code gives by chance is let pass, and what is far from it is not."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from grading.judging.significance import FALSE_ALARM, explained_by_chance


@pytest.mark.parametrize(("total", "share"), [(20, 0.8), (50, 0.5), (300, 0.1), (7500, 0.1), (2000, 0.003)])
def test_false_alarms_are_as_rare_as_promised(total: int, share: float) -> None:
    """By the exact binomial distribution: the counts that are refused have together less than that probability."""
    counts = np.arange(total + 1)
    refused = np.array([not explained_by_chance(count, total, share) for count in counts])
    assert refused.any()
    assert not refused[round(total * share)]
    assert stats.binom.pmf(counts[refused], total, share).sum() <= FALSE_ALARM


def test_one_count_that_is_off_is_enough() -> None:
    assert explained_by_chance([800, 100, 100], 1000, [0.8, 0.1, 0.1])
    assert not explained_by_chance([800, 200, 0], 1000, [0.8, 0.1, 0.1])


def test_what_is_certain_or_impossible() -> None:
    assert explained_by_chance([0, 7], 7, [0.0, 1.0])
    assert not explained_by_chance(1, 1000, 0.0)
    assert not explained_by_chance(999, 1000, 1.0)
    assert explained_by_chance(0, 0, [0.0, 0.3, 1.0])
