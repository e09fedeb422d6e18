"""Measures of a classifier's answers: accuracy with its confidence interval, F1, and calibration."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from course.classification import require_class_ids
from course.validation.arrays import require_floats, require_rank
from course.validation.values import require_sizes

_95_PERCENT = 1.959964  # standard deviations of a normal distribution to both sides of its mean


def wilson_interval(share: float, count: int, z: float = _95_PERCENT) -> tuple[float, float]:
    """The confidence interval of a measured share, such as an accuracy.

    Unlike share ± z √(share (1 - share) / count), it stays between 0 and 1, and also holds for few texts.

    Args:
        share: the share of texts that are right.
        count: how many texts there are.
        z: the confidence, in standard deviations: 1.96 for 95%.

    Returns:
        The lower and the upper bound.

    Raises:
        ValueError: there are no texts, or the share is not between 0 and 1.

    Example:
        >>> wilson_interval(0.9047, 808)
        (0.8825, 0.9231)

    Reference: Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", 1927.
    """
    if count < 1 or not 0 <= share <= 1:
        raise ValueError(f"share must be 0 to 1, of 1 or more texts. Received: share={share}, count={count}")
    middle = (share + z**2 / (2 * count)) / (1 + z**2 / count)
    margin = z / (1 + z**2 / count) * math.sqrt(share * (1 - share) / count + z**2 / (4 * count**2))
    return max(0.0, middle - margin), min(1.0, middle + margin)


def paired_difference(right: np.ndarray, other_right: np.ndarray, z: float = _95_PERCENT) -> tuple[float, float, float]:
    """By how much more often one classifier is right than another on the same texts, with a confidence interval.

    Only texts on which one is right and the other wrong count. The interval behaves as if there were two more texts,
    with one such text in each direction between them, so that a few texts, all in one direction, do not decide.

    Args:
        right: boolean, (texts,), where the first is right; or floats, the share of its seeds that are right.
        other_right: the same of the second.
        z: the confidence, in standard deviations.

    Returns:
        The difference of the accuracies, and its lower and upper bound.

    Raises:
        ValueError: there are no texts, the two have different numbers of texts, or an array is neither boolean nor
            floats.

    Reference: Agresti and Min, "Simple improved confidence intervals for comparing matched proportions", 2005,
    https://doi.org/10.1002/sim.1781, where each of the four cells gets one half.
    """
    for name, array in (("right", right), ("other_right", other_right)):
        require_rank(array, name, ("texts",))
        if array.dtype.kind not in "bf" or not len(array) == len(right) > 0:
            raise ValueError(
                f"{name} must be boolean, or shares, for one text or more, and for as many as right. "
                f"Received: {array.dtype} for {len(array)} texts, and right for {len(right)}"
            )
    gaps = right.astype("float64") - other_right  # 0 where they agree
    count = len(gaps) + 2
    middle = float(gaps.sum()) / count
    margin = z * math.sqrt(((float((gaps**2).sum()) + 1) / count - middle**2) / count)
    return float(gaps.mean()), max(-1.0, middle - margin), min(1.0, middle + margin)


def deviation(values: Sequence[float]) -> float | None:
    """The sample standard deviation, √(Σ (v - mean)² / (n - 1)); None for a single value.

    Raises:
        ValueError: no values.
    """
    if not len(values):
        raise ValueError("values must be one or more. Received: none")
    return float(np.std(values, ddof=1)) if len(values) > 1 else None


def f1_scores(matrix: np.ndarray) -> np.ndarray:
    """F1 of each class, 2 · precision · recall / (precision + recall).

    Args:
        matrix: counts, (true class, predicted class), of `confusion_matrix`.

    Returns:
        (num_classes,). It is 0 for a class that is never predicted or never occurs.

    Raises:
        ValueError: no square matrix.
    """
    require_rank(matrix, "matrix", ("true class", "predicted class"))
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"matrix must have a row and a column for each class. Received: matrix.shape={matrix.shape}")
    right, true, predicted = np.diag(matrix), matrix.sum(axis=1), matrix.sum(axis=0)
    return 2 * right / np.maximum(true + predicted, 1)


def macro_f1(matrix: np.ndarray) -> float:
    """The mean F1 of the classes that occur, or are predicted. A class that does neither says nothing.

    Args:
        matrix: counts, (true class, predicted class), of `confusion_matrix`.

    Raises:
        ValueError: no square matrix.
    """
    scores = f1_scores(matrix)
    return float(scores[matrix.sum(axis=0) + matrix.sum(axis=1) > 0].mean())


def probabilities(logits: np.ndarray) -> np.ndarray:
    """softmax(logits), in float64: (texts, num_classes).

    Raises:
        ValueError: logits of another shape, or no floats.
    """
    require_rank(logits, "logits", ("texts", "num_classes"))
    require_floats(logits, "logits")
    logits = logits.astype("float64")
    return np.exp(logits - np.logaddexp.reduce(logits, axis=1, keepdims=True))


@dataclass(frozen=True)
class Calibration:
    """How often a classifier is right, by how sure it was. If it is right in 8 of 10 cases in which it is 80% sure, it
    is calibrated.

    Attributes:
        counts: (bins,), how many texts fall into each bin of confidence, from 0 to 1.
        confidence: (bins,), the mean confidence of these texts; NaN where there are none.
        accuracy: (bins,), how many of them are right; NaN where there are none.
    """

    counts: np.ndarray
    confidence: np.ndarray
    accuracy: np.ndarray

    @property
    def error(self) -> float:
        """The expected calibration error: the mean over texts of the gap between confidence and accuracy.

        Reference: Guo et al., "On Calibration of Modern Neural Networks", 2017, https://arxiv.org/abs/1706.04599,
        section 2.
        """
        gaps = np.abs(self.accuracy - self.confidence)
        return float(np.nansum(gaps * self.counts) / self.counts.sum())


def calibration(labels: np.ndarray, shares: np.ndarray, bins: int = 15) -> Calibration:
    """Sorts texts into bins by the probability of the predicted class.

    Args:
        labels: (texts,), the true classes.
        shares: (texts, num_classes), probabilities.
        bins: how many bins of equal width there are. Each includes its upper bound.

    Raises:
        ValueError: the shares are not probabilities, or the labels do not fit them.
    """
    require_rank(shares, "shares", ("texts", "num_classes"))
    require_class_ids(labels, "labels", shares.shape[1])
    require_sizes(bins=bins)
    if len(labels) != len(shares) or not (shares >= 0).all() or not np.allclose(shares.sum(axis=1), 1, atol=1e-3):
        raise ValueError(
            "shares must be probabilities, of sum 1, for each label. "
            f"Received: {len(shares)} texts, {len(labels)} labels, and sums like {shares[:1].sum():g}"
        )
    sure = shares.max(axis=1)  # (texts,)
    right = shares.argmax(axis=1) == labels
    # A bin holds its upper bound, and the last bin what rounding has put above 1.
    number = np.searchsorted(np.arange(1, bins) / bins, sure)  # (texts,)
    counts = np.bincount(number, minlength=bins)
    with np.errstate(invalid="ignore"):
        confidence = np.bincount(number, sure, bins) / counts
        accuracy = np.bincount(number, right, bins) / counts
    return Calibration(counts, confidence, accuracy)
