"""Bootstrap intervals: compared with SciPy's, and by simulation, where the true value is known."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from course.evaluation.bootstrap import Interval, bootstrap_difference, bootstrap_interval
from course.evaluation.measures import paired_difference


def f1(rows: np.ndarray) -> float:
    """F1 from the right, predicted and true entities of each article, (articles, 3)."""
    return 2 * rows[:, 0].sum() / rows[:, 1:].sum()


def test_a_95_percent_interval_holds_in_95_of_100_cases(random: np.random.Generator) -> None:
    """285 of 300 cases, with a standard deviation of 3.8; with 100 rows and 120 samples, 2 or 3 fewer."""
    rows = random.normal(size=(300, 100))
    intervals = [bootstrap_interval(np.mean, row, samples=120, seed=n) for n, row in enumerate(rows)]
    assert 268 < sum(interval.low <= 0 <= interval.high for interval in intervals) < 298


def test_an_interval_holds_as_often_as_its_level(random: np.random.Generator) -> None:
    """75 of 150 cases, with a standard deviation of 6.1."""
    rows = random.normal(size=(150, 60))
    intervals = [bootstrap_interval(np.mean, row, level=0.5, samples=60, seed=n) for n, row in enumerate(rows)]
    assert 50 < sum(interval.low <= 0 <= interval.high for interval in intervals) < 100


def test_equal_systems_seldom_seem_different(random: np.random.Generator) -> None:
    """The systems are equally good, and queries vary more than they do: 142 of 150 cases, with a deviation of 2.7."""
    hits = 0
    for seed in range(150):
        hardness = random.normal(size=60)
        first, second = hardness + random.normal(scale=0.3, size=(2, 60))
        interval = bootstrap_difference(np.mean, first, second, samples=100, seed=seed)
        hits += interval.low <= 0 <= interval.high
    assert 129 < hits < 150


def test_agrees_with_scipy(random: np.random.Generator) -> None:
    rows = random.lognormal(size=80)
    theirs = scipy.stats.bootstrap((rows,), np.median, n_resamples=1500, method="percentile", rng=3).confidence_interval
    interval = bootstrap_interval(np.median, rows, samples=1500)
    assert interval.value == np.median(rows)
    assert interval[1:] == pytest.approx(theirs, abs=0.05)


def test_agrees_with_the_formula_for_shares(random: np.random.Generator) -> None:
    right, other = random.random((2, 800)) < [[0.9], [0.85]]
    interval = bootstrap_difference(np.mean, right, other, samples=1500)
    assert interval == pytest.approx(paired_difference(right, other), abs=0.003)


def test_a_row_is_drawn_as_a_whole(random: np.random.Generator) -> None:
    """Each article is either all right or all wrong, and its numbers must stay together."""
    rows = np.array([[9, 9, 9], [0, 1, 1]] * 20)
    drawn = []
    bootstrap_interval(lambda taken: drawn.append(taken) or f1(taken), rows, samples=30)
    assert all((taken == [9, 9, 9]).all(axis=1).sum() + (taken == [0, 1, 1]).all(axis=1).sum() == 40 for taken in drawn)
    assert len({f1(taken) for taken in drawn}) > 5


def test_both_systems_are_measured_on_the_same_drawn_rows(random: np.random.Generator) -> None:
    first = random.normal(size=50)
    interval = bootstrap_difference(np.mean, first, first - 0.25)
    assert interval == pytest.approx((0.25, 0.25, 0.25))
    counts = random.integers(1, 9, (50, 3))
    assert bootstrap_difference(f1, counts, counts) == (0, 0, 0)


def test_the_same_seed_gives_the_same_interval(random: np.random.Generator) -> None:
    rows = random.normal(size=30)
    assert bootstrap_interval(np.mean, rows, seed=4) == bootstrap_interval(np.mean, rows, seed=4)
    assert bootstrap_interval(np.mean, rows, seed=4) != bootstrap_interval(np.mean, rows, seed=5)


def test_a_single_row_gives_an_interval_of_one_value() -> None:
    assert bootstrap_interval(np.mean, np.array([3])) == Interval(3.0, 3.0, 3.0)


def test_invalid_rows_and_measures_are_refused() -> None:
    with pytest.raises(ValueError, match=r"one or more\. Received: none"):
        bootstrap_difference(np.mean, np.array([]), np.array([]))
    with pytest.raises(ValueError, match=r"number on any rows.*Received: nan on \d+ of 1000"):
        bootstrap_interval(lambda rows: rows.min() if len(set(rows)) > 2 else np.nan, np.arange(4.0))
