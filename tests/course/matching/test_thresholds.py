"""Thresholds and calibrated probabilities agree with scikit-learn's, and with a search of all thresholds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import _SigmoidCalibration, calibration_curve
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import fbeta_score, log_loss, precision_recall_curve

from course.matching import best_threshold, calibration_error, fit_platt
from tests.closeness import assert_close


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def some_pairs(random: np.random.Generator, pairs: int = 200) -> tuple[np.ndarray, np.ndarray]:
    logits = 4 * random.normal(size=pairs) + 1
    return logits, (random.random(pairs) < sigmoid(0.5 * logits - 2)).astype(int)


@pytest.mark.parametrize("beta", [0.5, 1.0, 3.0])
def test_threshold_has_the_best_f_score_of_all(beta: float, random: np.random.Generator) -> None:
    logits, labels = some_pairs(random)
    scores = np.round(logits).astype("float32")  # many are equal
    threshold, f = best_threshold(scores, labels, beta)
    assert f == pytest.approx(fbeta_score(labels, scores >= threshold, beta=beta))
    precision, recall, thresholds = precision_recall_curve(labels, scores)
    of_each = (1 + beta**2) * precision * recall / np.maximum(beta**2 * precision + recall, 1e-12)
    assert f == pytest.approx(of_each.max())
    # The threshold is the middle between two scores that occur.
    above, below = scores[scores >= threshold].min(), scores[scores < threshold].max()
    assert threshold == pytest.approx((above + below) / 2)
    assert above == pytest.approx(thresholds[of_each[:-1].argmax()])


def test_threshold_is_the_lowest_score_if_accepting_all_is_best() -> None:
    assert best_threshold(np.array([0.5, 0.2, 0.4]), np.array([1, 1, 0])) == (0.2, pytest.approx(0.8))
    assert best_threshold(np.array([0.3, 0.3, 0.3]), np.array([0, 1, 0])) == (0.3, 0.5)  # all equal
    assert best_threshold(np.array([7.0]), np.array([True])) == (7.0, 1.0)


def test_highest_of_equally_good_thresholds_wins() -> None:
    scores, labels = np.array([5.0, 4.0, 3.0, 2.0, 1.0]), np.array([1, 0, 0, 1, 0])
    assert best_threshold(scores, labels) == (4.5, pytest.approx(2 / 3))


def test_a_threshold_separates_neighbouring_floats() -> None:
    low = 1.0
    high = np.nextafter(low, 2)
    threshold, f = best_threshold(np.array([high, low]), np.array([1, 0]))
    assert f == 1
    assert low < threshold <= high


@given(st.lists(st.tuples(st.integers(-4, 4), st.booleans()), min_size=1, max_size=30))
def test_returned_f_score_is_reached_and_never_exceeded(pairs: list[tuple[int, bool]]) -> None:
    scores, labels = np.array([float(score) for score, _ in pairs]), np.array([label for _, label in pairs])
    labels[0] = True
    threshold, f = best_threshold(scores, labels)
    assert f == pytest.approx(fbeta_score(labels, scores >= threshold, beta=1))
    for other in (*scores, *(scores + 0.5)):
        assert fbeta_score(labels, scores >= other, beta=1, zero_division=0) <= f + 1e-12


@pytest.mark.parametrize("size", [1e-3, 1.0, 1000.0])
def test_platt_agrees_with_scikit_learn(size: float, random: np.random.Generator) -> None:
    logits, labels = some_pairs(random)
    theirs = _SigmoidCalibration().fit(size * logits, labels)
    a, b = fit_platt(size * logits, labels)
    np.testing.assert_allclose((a, b), (-theirs.a_, -theirs.b_), rtol=2e-4, atol=2e-4 / size)


def test_platt_on_many_pairs_agrees_with_logistic_regression(random: np.random.Generator) -> None:
    logits, labels = some_pairs(random, 20_000)
    theirs = LogisticRegression(C=1e12, tol=1e-10).fit(logits[:, None], labels)
    a, b = fit_platt(logits, labels)
    assert (a, b) == (pytest.approx(theirs.coef_[0, 0], rel=5e-3), pytest.approx(theirs.intercept_[0], rel=5e-3))
    # The labels were drawn with a = 0.5 and b = -2. Fisher's information gives the standard errors.
    p, rows = sigmoid(0.5 * logits - 2), np.stack([logits, np.ones_like(logits)])
    errors = np.sqrt(np.diag(np.linalg.inv((rows * p * (1 - p)) @ rows.T)))
    assert (np.abs([a - 0.5, b + 2]) < 5 * errors).all()


def test_platt_is_a_minimum_of_its_loss(random: np.random.Generator) -> None:
    logits, labels = some_pairs(random, 60)
    positive = labels.sum()
    targets = np.where(labels, (positive + 1) / (positive + 2), 1 / (60 - positive + 2))

    def loss(a: float, b: float) -> float:
        z = a * logits + b
        return float(np.sum(np.logaddexp(0, z) - targets * z))

    a, b = fit_platt(logits, labels)
    for da, db in ((1e-3, 0), (-1e-3, 0), (0, 1e-3), (0, -1e-3), (1e-3, -1e-3)):
        assert loss(a + da, b + db) > loss(a, b)


def test_separable_pairs_get_finite_parameters_and_keep_their_order() -> None:
    logits = np.array([-900.0, -800.0, 5000.0, 7000.0])
    a, b = fit_platt(logits, np.array([0, 0, 1, 1]))
    assert np.isfinite((a, b)).all()
    p = sigmoid(a * logits + b)
    assert (np.diff(p) > 0).all()
    assert fit_platt(-logits, np.array([0, 0, 1, 1]))[0] == pytest.approx(-a)


def test_finds_the_minimum_where_plain_newton_steps_diverge(random: np.random.Generator) -> None:
    logits = np.repeat([3.0, 0.0, -250.0], [5, 95, 1]) + 0.1 * random.normal(size=101)
    labels = np.arange(101) < 5
    a, b = fit_platt(logits, labels)
    gaps = sigmoid(a * logits + b) - np.where(labels, 6 / 7, 1 / 98)
    assert_close((gaps.sum(), gaps @ logits), 0, 1e-6)  # the gradient


def test_calibration_lowers_the_log_loss(random: np.random.Generator) -> None:
    logits, labels = some_pairs(random, 4000)
    a, b = fit_platt(logits[:2000], labels[:2000])
    before, after = (log_loss(labels[2000:], sigmoid(z[2000:])) for z in (logits, a * logits + b))
    assert after < before / 2
    assert calibration_error(sigmoid(a * logits + b)[2000:], labels[2000:]) < 0.03


@pytest.mark.parametrize("bins", [3, 10, 17])
def test_calibration_error_agrees_with_scikit_learns_curve(bins: int, random: np.random.Generator) -> None:
    logits, labels = some_pairs(random)
    p = sigmoid(logits)
    share, mean = calibration_curve(labels, p, n_bins=bins)
    counts = np.histogram(p, bins, range=(0, 1))[0]
    expected = np.average(np.abs(share - mean), weights=counts[counts > 0])
    assert calibration_error(p, labels, bins) == pytest.approx(expected)


@pytest.mark.parametrize("bins", [1, 3, 10, 49, 50, 99, 100, 1000])
def test_each_bound_is_in_the_bin_that_begins_there(bins: int) -> None:
    for number in range(bins):
        low, above = number / bins, (number + 0.5) / bins
        # In one bin the two gaps have opposite signs, so only their difference counts.
        together = calibration_error(np.array([low, above]), np.array([0, 1]), bins)
        assert together == pytest.approx(abs(low + above - 1) / 2)
        if number:
            below = np.nextafter(low, 0)
            apart = calibration_error(np.array([below, low]), np.array([0, 1]), bins)
            assert apart == pytest.approx((below + 1 - low) / 2)


def test_probabilities_at_the_ends_of_bins_count() -> None:
    certain = np.ones(3)
    assert calibration_error(certain, np.array([1, 1, 1])) == 0
    assert calibration_error(certain, np.array([1, 0, 0])) == pytest.approx(2 / 3)
    assert calibration_error(np.zeros(2), np.array([0, 0])) == 0
    # 0.5 is in the upper of two bins, so the errors do not cancel.
    assert calibration_error(np.array([0.25, 0.5]), np.array([1, 0]), bins=2) == pytest.approx(0.625)
    assert calibration_error(np.array([0.25, 0.4]), np.array([1, 0]), bins=2) == pytest.approx(0.175)
