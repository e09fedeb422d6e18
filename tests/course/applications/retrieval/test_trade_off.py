"""The plot of quality against time shows every ranker, and its alternative text says what it shows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from course.applications.retrieval.trade_off import plot_trade_off
from course.plots import Picture

RANKERS = pd.DataFrame(
    {
        "nDCG@10": [0.3, 0.5, 0.4],
        "from": [0.25, 0.41, 0.37],
        "to": [0.36, 0.53, 0.44],
        "ms a query": [20.0, 0.5, 300.0],
    },
    index=["slow", "fast", "slowest"],
)


def intervals(picture: Picture) -> np.ndarray:
    """Return the time, the lower end and the upper end of each bar: (bars, 3)."""
    segments = [bar.get_segments()[0] for bar in picture.figure.axes[0].collections]
    return np.array([[lower[0], lower[1], upper[1]] for lower, upper in segments])


def test_rankers_have_intervals_and_names_in_the_order_of_quality() -> None:
    picture = plot_trade_off(RANKERS)
    (axes,) = picture.figure.axes
    assert axes.get_xscale() == "log"
    np.testing.assert_allclose(intervals(picture), [[20, 0.25, 0.36], [300, 0.37, 0.44], [0.5, 0.41, 0.53]])
    assert [(name.get_text(), name.xy) for name in axes.texts] == [
        ("slow", (20, 0.3)),
        ("slowest", (300, 0.4)),
        ("fast", (0.5, 0.5)),
    ]
    heights = [name.xyann[1] for name in axes.texts]
    assert heights == sorted(heights) and np.ptp(np.diff(heights)) == pytest.approx(0)


def test_alternative_text_lists_the_values() -> None:
    picture = plot_trade_off(RANKERS, ("the best order", 0.625), "Rankers")
    assert picture.alt == (
        "Rankers. fast: 0.500 (0.410 to 0.530) at 0.5 ms. slowest: 0.400 (0.370 to 0.440) at 300.0 ms. "
        "slow: 0.300 (0.250 to 0.360) at 20.0 ms. the best order: 0.625."
    )
    (axes,) = picture.figure.axes
    assert axes.texts[-1].get_text() == "the best order"
    assert axes.get_ylim()[1] > 0.625


def test_missing_columns_and_times_are_named() -> None:
    with pytest.raises(ValueError, match=r"the columns nDCG@10, from, to, ms a query. Missing: from, ms a query"):
        plot_trade_off(RANKERS[["nDCG@10", "to"]])
    with pytest.raises(ValueError, match=r"must take some time.*'slow': 0"):
        plot_trade_off(RANKERS.assign(**{"ms a query": 0}))
    with pytest.raises(ValueError, match=r"must take some time.*{}"):
        plot_trade_off(RANKERS[:0])
