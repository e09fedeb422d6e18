"""What goes wrong in best_threshold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

import course.matching as right
from grading.exercises.matching.checks import threshold


def f_of(said: np.ndarray, labels: np.ndarray, beta: float = 1.0) -> float:
    """F of what is said to match."""
    hits = float(np.sum(said & labels))
    return (1 + beta**2) * hits / max(beta**2 * labels.sum() + said.sum(), 1e-12)


def candidates(scores: np.ndarray) -> np.ndarray:
    """All thresholds that make a difference, the highest first."""
    different = np.unique(scores)[::-1]
    return np.append((different[:-1] + different[1:]) / 2, different[-1])


def best_of(thresholds: Iterable[float], measure: Callable[[float], float]) -> tuple[float, float]:
    """The first of the best."""
    found = [(float(one), float(measure(one))) for one in thresholds]
    return max(found, key=lambda one: one[1])


def arrays(scores: Any, labels: Any) -> tuple[np.ndarray, np.ndarray]:
    return np.asarray(scores, float), np.asarray(labels).astype(bool)


@threshold.whole_mistake(
    "The threshold is always 0.5.",
    hint="Scores may be logits or cosines, and even of probabilities 0.5 is seldom the best place for F.",
)
def always_half(scores: Any, labels: Any, beta: float = 1.0) -> tuple[float, float]:
    scores, labels = arrays(scores, labels)
    return 0.5, f_of(scores >= 0.5, labels, beta)


@threshold.whole_mistake(
    "The threshold is always 0.",
    hint="Where scores are logits, 0 is a probability of one half. Is that where F is best?",
)
def always_nought(scores: Any, labels: Any, beta: float = 1.0) -> tuple[float, float]:
    scores, labels = arrays(scores, labels)
    return 0.0, f_of(scores >= 0, labels, beta)


@threshold.whole_mistake(
    "Thresholds are tried on a grid, between the lowest and the highest score.",
    hint="Between two grid points F may be better. At how many places does F change at all?",
)
def on_a_grid(scores: Any, labels: Any, beta: float = 1.0) -> tuple[float, float]:
    scores, labels = arrays(scores, labels)
    grid = np.linspace(scores.max(), scores.min(), 11)
    return best_of(grid, lambda one: f_of(scores >= one, labels, beta))


@threshold.whole_mistake(
    "The threshold is a score that occurs, not the middle between two.",
    hint="A new pair just below it is lost for nothing, and rounding may lose this one, too.",
)
def at_a_score(scores: Any, labels: Any, beta: float = 1.0) -> tuple[float, float]:
    scores, labels = arrays(scores, labels)
    found, f = right.best_threshold(scores, labels, beta)
    return float(scores[scores >= found].min()), f


@threshold.whole_mistake(
    "The threshold is the next lower score, which is itself to be left out.",
    hint="A pair matches if score >= threshold. Does the lower one match?",
)
def at_the_lower_score(scores: Any, labels: Any, beta: float = 1.0) -> tuple[float, float]:
    scores, labels = arrays(scores, labels)
    found, f = right.best_threshold(scores, labels, beta)
    return float(np.max(scores[scores < found], initial=scores.min())), f


@threshold.whole_mistake(
    "Each pair is a place for a threshold, also between two with equal scores: some of these are said to match, and "
    "others are not.",
    hint="No threshold can tell equal scores apart. Where may the count stop?",
)
def ties_parted(scores: Any, labels: Any, beta: float = 1.0) -> tuple[float, float]:
    scores, labels = arrays(scores, labels)
    order = np.lexsort((~labels, -scores))  # in the model's favour
    ranked, hits = scores[order], np.cumsum(labels[order])
    f = (1 + beta**2) * hits / (beta**2 * labels.sum() + np.arange(1, len(scores) + 1))
    best = int(np.argmax(f))
    return float((ranked[best] + ranked[min(best + 1, len(ranked) - 1)]) / 2), float(f[best])


@threshold.whole_mistake(
    "The share of right answers is as high as it can be, not F.",
    hint="Where few pairs match, who says no to all has a high accuracy. What is F of that?",
)
def by_accuracy(scores: Any, labels: Any, beta: float = 1.0) -> tuple[float, float]:
    scores, labels = arrays(scores, labels)
    found, _ = best_of(candidates(scores), lambda one: float(np.mean((scores >= one) == labels)))
    return found, f_of(scores >= found, labels, beta)


@threshold.whole_mistake(
    "Accuracy is maximised, and returned in place of F.",
    hint="The second number is F at the threshold.",
)
def accuracy_returned(scores: Any, labels: Any, beta: float = 1.0) -> tuple[float, float]:
    scores, labels = arrays(scores, labels)
    return best_of(candidates(scores), lambda one: float(np.mean((scores >= one) == labels)))


@threshold.whole_mistake(
    "F is that of the pairs that do not match.",
    hint="Precision and recall are of those that do. Which pairs does `score >= threshold` choose?",
)
def f_of_the_others(scores: Any, labels: Any, beta: float = 1.0) -> tuple[float, float]:
    scores, labels = arrays(scores, labels)
    return best_of(candidates(scores), lambda one: f_of(scores < one, ~labels, beta))


@threshold.whole_mistake(
    "Low scores are said to match: the count runs from the wrong end.",
    hint="The higher the score, the likelier the match. In which order does `np.sort` give them?",
)
def from_the_wrong_end(scores: Any, labels: Any, beta: float = 1.0) -> tuple[float, float]:
    scores, labels = arrays(scores, labels)
    return best_of(candidates(scores)[::-1], lambda one: f_of(scores <= one, labels, beta))


@threshold.whole_mistake(
    "Precision is as high as it can be; recall does not count.",
    hint="One sure pair has a precision of 1. How many pairs are missed then?",
)
def by_precision(scores: Any, labels: Any, beta: float = 1.0) -> tuple[float, float]:
    scores, labels = arrays(scores, labels)
    found, _ = best_of(candidates(scores), lambda one: float(np.mean(labels[scores >= one])))
    return found, f_of(scores >= found, labels, beta)


@threshold.whole_mistake(
    "The mean of precision and recall is taken, not F.",
    hint="F is their harmonic mean: it is near the lower one.",
)
def arithmetic_mean(scores: Any, labels: Any, beta: float = 1.0) -> tuple[float, float]:
    scores, labels = arrays(scores, labels)

    def mean(one: float) -> float:
        hits = np.sum((scores >= one) & labels)
        return float(hits / np.sum(scores >= one) + hits / labels.sum()) / 2

    return best_of(candidates(scores), mean)


@threshold.whole_mistake(
    "β is not used: F is always F1.",
    hint="`beta` is an argument.",
)
def always_f1(scores: Any, labels: Any, beta: float = 1.0) -> tuple[float, float]:
    return right.best_threshold(scores, labels)


@threshold.whole_mistake(
    "β is not squared.",
    hint="F = (1 + β²) · precision · recall / (β² · precision + recall).",
)
def beta_not_squared(scores: Any, labels: Any, beta: float = 1.0) -> tuple[float, float]:
    return right.best_threshold(scores, labels, beta**0.5)


@threshold.whole_mistake(
    "β is on the wrong side: precision counts β times as much as recall.",
    hint="With a large β nothing may be missed. What does F come to where recall is 1?",
)
def beta_turned(scores: Any, labels: Any, beta: float = 1.0) -> tuple[float, float]:
    return right.best_threshold(scores, labels, 1 / beta)


@threshold.whole_mistake(
    "Of equally good thresholds the lowest is taken.",
    hint="`>=` where a later one is only as good replaces the earlier one.",
)
def lowest_of_the_best(scores: Any, labels: Any, beta: float = 1.0) -> tuple[float, float]:
    scores, labels = arrays(scores, labels)
    return best_of(candidates(scores)[::-1], lambda one: round(f_of(scores >= one, labels, beta), 12))


@threshold.whole_mistake(
    "That all pairs may match is not tried.",
    hint="There is no lower score behind the last one. Is there no threshold either?",
)
def never_all(scores: Any, labels: Any, beta: float = 1.0) -> tuple[float, float]:
    scores, labels = arrays(scores, labels)
    some = candidates(scores)[:-1]
    return best_of(some if len(some) else [float("inf")], lambda one: f_of(scores >= one, labels, beta))


@threshold.whole_mistake(
    "F and the threshold are returned in the wrong order.",
    hint="First from where on, then how good that is.",
)
def swapped(scores: Any, labels: Any, beta: float = 1.0) -> tuple[float, float]:
    return right.best_threshold(scores, labels, beta)[::-1]


@threshold.whole_mistake(
    "Of pairs with equal scores, F is counted at the first, as if the others were not said to match.",
    hint="score >= threshold holds for all of them. At which of the equal ones is all counted that is said to match?",
)
def first_of_a_tie(scores: Any, labels: Any, beta: float = 1.0) -> tuple[float, float]:
    scores, labels = arrays(scores, labels)
    order = np.argsort(-scores, kind="stable")
    ranked, hits = scores[order], np.cumsum(labels[order])
    f = (1 + beta**2) * hits / (beta**2 * labels.sum() + np.arange(1, len(ranked) + 1))
    firsts = np.flatnonzero(np.diff(ranked, prepend=np.inf))
    best = firsts[np.argmax(f[firsts])]
    lower = ranked[ranked < ranked[best]]
    return float((ranked[best] + lower[0]) / 2 if len(lower) else ranked[best]), float(f[best])
