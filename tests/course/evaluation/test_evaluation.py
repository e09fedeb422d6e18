"""Each number is compared with another library's, or with one calculated by hand."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.special
import scipy.stats
import sklearn.metrics

from course.classification import confusion_matrix
from course.evaluation.attention_maps import cls_attention
from course.evaluation.measures import (
    calibration,
    deviation,
    f1_scores,
    macro_f1,
    paired_difference,
    probabilities,
    wilson_interval,
)
from tests.closeness import assert_close
from tests.course.arrays import array
from tests.course.training.tiny_classifier import classifier, texts


@pytest.mark.parametrize(("right", "count"), [(731, 808), (0, 5), (7, 7), (1, 2)])
def test_wilson_agrees_with_scipy(right: int, count: int) -> None:
    theirs = scipy.stats.binomtest(right, count).proportion_ci(0.95, method="wilson")
    assert wilson_interval(right / count, count) == pytest.approx((theirs.low, theirs.high), abs=1e-6)


def test_wilson_needs_a_share_of_at_least_one_text() -> None:
    with pytest.raises(ValueError, match=r"Received: share=0\.5, count=0"):
        wilson_interval(0.5, 0)
    with pytest.raises(ValueError, match=r"Received: share=91, count=100"):
        wilson_interval(91, 100)


def test_paired_difference_by_hand() -> None:
    """Of 20 texts, only the first classifier is right on 6, and only the second on 2."""
    right = np.array([True] * 16 + [False] * 4)
    other = np.array([False] * 6 + [True] * 12 + [False] * 2)
    middle, margin = 4 / 22, 1.959964 * np.sqrt((6.5 + 2.5 - (6 - 2) ** 2 / 22) / 22**2)  # ½ more in each cell
    assert paired_difference(right, other) == pytest.approx((0.2, middle - margin, middle + margin))
    difference, low, high = paired_difference(right, right)
    assert difference == 0 > low == -high


def test_four_texts_in_one_direction_decide_nothing() -> None:
    """McNemar's exact test of 4 against 0 has a p of 1/8."""
    right = np.arange(30) < 4
    assert paired_difference(right, np.zeros(30, bool))[1] < 0
    assert paired_difference(np.ones(3, bool), np.zeros(3, bool))[2] <= 1


def test_classes_that_do_not_occur_do_not_count_in_the_macro_f1(random: np.random.Generator) -> None:
    labels, predicted = random.integers(0, 4, 60), random.integers(1, 5, 60)
    theirs = sklearn.metrics.f1_score(labels, predicted, average="macro")
    assert macro_f1(confusion_matrix(labels, predicted, 9)) == pytest.approx(theirs)


def test_paired_difference_of_shares_agrees_with_scipy(random: np.random.Generator) -> None:
    """Three seeds each, and enough texts that the t distribution is normal."""
    shares, other = random.integers(0, 4, (2, 100_000)) / 3
    theirs = scipy.stats.ttest_rel(shares, other).confidence_interval(0.95)
    assert paired_difference(shares, other)[1:] == pytest.approx((theirs.low, theirs.high), abs=1e-6)


def test_paired_difference_holds_in_19_of_20_cases(random: np.random.Generator) -> None:
    """95% of 400 cases are 380, with a standard deviation of 4.4; 30 fewer has a probability below 1e-9."""
    hits = 0
    for _ in range(400):
        hard = random.random(500)
        _, low, high = paired_difference(hard < 0.9 - 0.1 * random.random(500), hard < 0.85 - 0.1 * random.random(500))
        hits += low <= 0.05 <= high
    assert hits > 350


def test_deviation_by_hand() -> None:
    assert deviation([3.0, 5.0, 10.0]) == pytest.approx(np.sqrt(13))
    assert deviation([3.0]) is None


def test_f1_agrees_with_scikit_learn(random: np.random.Generator) -> None:
    labels, predicted = random.integers(0, 4, 60), random.integers(1, 5, 60)  # 0 is never predicted, 4 never occurs
    theirs = sklearn.metrics.f1_score(labels, predicted, average=None, labels=range(6), zero_division=0)
    np.testing.assert_allclose(f1_scores(confusion_matrix(labels, predicted, 6)), theirs)


def test_probabilities_agree_with_scipy_however_large_the_logits(random: np.random.Generator) -> None:
    logits = (200 * random.normal(size=(7, 3))).astype("float32")
    np.testing.assert_allclose(probabilities(logits), scipy.special.softmax(logits.astype("float64"), axis=1))


def test_a_bound_is_in_the_bin_that_ends_there() -> None:
    shares = np.array([[0.29, 0.71], [0.42, 0.58], [0.43, 0.57]])
    found = calibration(np.array([1, 1, 1]), shares, bins=100)
    assert np.flatnonzero(found.counts).tolist() == [56, 57, 70]


def test_calibration_by_hand() -> None:
    shares = np.array([[0.9, 0.1], [0.2, 0.8], [0.95, 0.05], [0.4, 0.6], [0.5, 0.5], [1.0, 0.0]])
    result = calibration(np.array([0, 1, 1, 0, 0, 0]), shares, bins=5)
    np.testing.assert_array_equal(result.counts, [0, 0, 2, 1, 3])  # (0.4, 0.6], (0.6, 0.8], (0.8, 1]
    np.testing.assert_allclose(result.confidence[2:], [0.55, 0.8, 2.85 / 3])
    np.testing.assert_allclose(result.accuracy[2:], [0.5, 1.0, 2 / 3])
    assert result.error == pytest.approx((2 * 0.05 + 1 * 0.2 + 3 * (2.85 / 3 - 2 / 3)) / 6)
    assert np.isnan(result.accuracy[0])


def test_cls_attention_comes_from_the_last_block() -> None:
    model, (inputs, _) = classifier(), texts(6, seed=2)
    weights = cls_attention(model.encoder, inputs)
    assert weights.shape == (6, 2, inputs["token_ids"].shape[1])
    assert_close(weights.sum(axis=-1), 1)
    assert not weights[np.broadcast_to(~inputs["padding_mask"][:, None], weights.shape)].any()

    block = model.encoder.blocks[-1]
    layers = model.encoder(inputs["token_ids"], return_layers=True)["layer_outputs"]
    value = array(block.attention.value_dense(layers[-2])).reshape(6, -1, 2, 6)  # (batch, key, heads, head_dim)
    merged = np.einsum("bhk,bkhd->bhd", weights, value).reshape(6, 12)
    attended = array(block.attention.output_dense(merged))  # (batch, hidden_dim): what [CLS] gets
    mask = inputs["padding_mask"][:, None, None, :]
    assert_close(attended, array(block.attention(layers[-2], attention_mask=mask))[:, 0])
