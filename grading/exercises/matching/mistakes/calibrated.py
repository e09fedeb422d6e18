"""What goes wrong in fit_platt."""

from __future__ import annotations

from typing import Any

import numpy as np

import course.matching as right
from grading.exercises.matching.checks import platt


def platt_targets(labels: np.ndarray) -> np.ndarray:
    positive = labels.sum()
    return np.where(labels > 0, (positive + 1) / (positive + 2), 1 / (len(labels) - positive + 2))


def fitted(features: np.ndarray, targets: np.ndarray, ridge: float = 1e-9, steps: int = 60) -> np.ndarray:
    """The weights with the least loss, by Newton's method on features that are about as large as 1."""
    weights = np.zeros(features.shape[1])
    for _ in range(steps):
        p = np.exp(-np.logaddexp(0, -(features @ weights)))
        hessian = (features.T * (p * (1 - p))) @ features + ridge * np.eye(len(weights))
        step = np.linalg.solve(hessian, features.T @ (p - targets) + ridge * weights)
        weights = weights - step * min(1.0, 3.0 / max(np.abs(step).max(), 1e-12))
    return weights


def line(x: np.ndarray, targets: np.ndarray, ridge: float = 1e-9) -> tuple[float, float]:
    """a and b for x of any size."""
    center, width = x.mean(), max(x.std(), 1e-12)
    slope, offset = fitted(np.stack([(x - center) / width, np.ones_like(x)], axis=1), targets, ridge)
    return float(slope / width), float(offset - slope * center / width)


def arrays(logits: Any, labels: Any) -> tuple[np.ndarray, np.ndarray]:
    return np.asarray(logits, float), np.asarray(labels, float)


@platt.whole_mistake(
    "The targets are 0 and 1, as in logistic regression, not Platt's.",
    hint="Where a threshold parts all pairs, a grows without end. What does Platt aim at instead of 1?",
)
def hard_targets(logits: Any, labels: Any) -> tuple[float, float]:
    logits, labels = arrays(logits, labels)
    return line(logits, labels, 1e-6)


@platt.whole_mistake(
    "Platt's targets are swapped: those of pairs that match count the others.",
    hint="(n₁ + 1) / (n₁ + 2) is for the n₁ pairs that match.",
)
def counts_swapped(logits: Any, labels: Any) -> tuple[float, float]:
    logits, labels = arrays(logits, labels)
    positive, negative = labels.sum(), np.sum(labels == 0)
    return line(logits, np.where(labels > 0, (negative + 1) / (negative + 2), 1 / (positive + 2)))


@platt.whole_mistake(
    "There is no b: only the slope is fitted.",
    hint="Where few pairs match, all probabilities have to go down. Which of the two does that?",
)
def without_offset(logits: Any, labels: Any) -> tuple[float, float]:
    logits, labels = arrays(logits, labels)
    width = logits.std()
    return float(fitted((logits / width)[:, None], platt_targets(labels))[0] / width), 0.0


@platt.whole_mistake(
    "There is no a: only b is fitted.",
    hint="A model that is too sure of everything needs a smaller slope.",
)
def without_slope(logits: Any, labels: Any) -> tuple[float, float]:
    logits, labels = arrays(logits, labels)
    low, high = -logits.max() - 40, -logits.min() + 40
    wanted = platt_targets(labels).sum()
    for _ in range(200):  # the b at which the mean probability is that of the targets
        middle = (low + high) / 2
        if np.exp(-np.logaddexp(0, -(logits + middle))).sum() < wanted:
            low = middle
        else:
            high = middle
    return 1.0, float(middle)


@platt.whole_mistake(
    "It is fitted to probabilities, not to logits: a sigmoid is taken first.",
    hint="σ(a · logit + b) has one sigmoid.",
)
def on_probabilities(logits: Any, labels: Any) -> tuple[float, float]:
    logits, labels = arrays(logits, labels)
    return line(np.exp(-np.logaddexp(0, -logits)), platt_targets(labels))


@platt.whole_mistake(
    "a and b have the wrong sign: they are those of 1 / (1 + exp(a · logit + b)), as Platt wrote it, or of the "
    "probability that a pair does *not* match.",
    hint="σ(x) is 1 / (1 + exp(-x)), and t is near 1 where the label is 1. For a good model, a is above 0.",
)
def signs_of_platt(logits: Any, labels: Any) -> tuple[float, float]:
    a, b = right.fit_platt(logits, labels)
    return -a, -b


@platt.whole_mistake(
    "Gradient descent has stopped too early: another a and b have a lower loss.",
    hint="A hundred steps of a fixed size are not the minimum. Newton's method needs a handful.",
)
def too_few_steps(logits: Any, labels: Any) -> tuple[float, float]:
    logits, labels = arrays(logits, labels)
    targets, a, b = platt_targets(labels), 1.0, 0.0
    for _ in range(100):
        gaps = np.exp(-np.logaddexp(0, -(a * logits + b))) - targets
        a, b = a - 0.01 * float(np.mean(gaps * logits)), b - 0.01 * float(np.mean(gaps))
    return a, b


@platt.whole_mistake(
    "A single step of Newton's method was made.",
    hint="Each step goes to the bottom of a parabola, which the loss is only nearly. When do steps become small?",
)
def one_step(logits: Any, labels: Any) -> tuple[float, float]:
    logits, labels = arrays(logits, labels)
    center, width = logits.mean(), logits.std()
    rows = np.stack([(logits - center) / width, np.ones_like(logits)], axis=1)
    slope, offset = np.linalg.solve(rows.T @ rows / 4, rows.T @ (platt_targets(labels) - 0.5))
    return float(slope / width), float(offset - slope * center / width)


@platt.whole_mistake(
    "A straight line is fitted to the targets, by least squares: there is no sigmoid.",
    hint="What has the least loss is σ of the line, and the loss has logarithms.",
)
def least_squares(logits: Any, labels: Any) -> tuple[float, float]:
    logits, labels = arrays(logits, labels)
    slope, offset = np.polyfit(logits, platt_targets(labels), 1)
    return float(slope), float(offset)


@platt.whole_mistake(
    "The weights are regularised, as scikit-learn's LogisticRegression does unless told otherwise: a is too small.",
    hint="Its C is 1. The loss has no other part than the one above.",
)
def regularised(logits: Any, labels: Any) -> tuple[float, float]:
    logits, labels = arrays(logits, labels)
    size = max(1.0, float(np.abs(logits).max()) / 50)
    features = np.stack([logits / size, np.ones_like(logits)], axis=1)
    weights, targets = np.zeros(2), platt_targets(labels)
    ridge = np.diag([size**-2.0, 0.0])
    for _ in range(80):
        p = np.exp(-np.logaddexp(0, -(features @ weights)))
        hessian = (features.T * (p * (1 - p))) @ features + ridge + 1e-9 * np.eye(2)
        step = np.linalg.solve(hessian, features.T @ (p - targets) + ridge @ weights)
        weights = weights - step * min(1.0, 3.0 / max(np.abs(step).max(), 1e-12))
    return float(weights[0] / size), float(weights[1])


@platt.whole_mistake(
    "The logits were standardised, and a and b are still those of the standardised ones.",
    hint="Who uses a and b has the logits as they are. Undo both, the division and the subtraction.",
)
def still_standardised(logits: Any, labels: Any) -> tuple[float, float]:
    logits, labels = arrays(logits, labels)
    return line((logits - logits.mean()) / logits.std(), platt_targets(labels))


@platt.whole_mistake(
    "A slope below 0 is turned round, so that higher logits always count as likelier.",
    hint="If lower logits match more often, the model has it the wrong way round, and a is how one notices.",
)
def never_falling(logits: Any, labels: Any) -> tuple[float, float]:
    a, b = right.fit_platt(logits, labels)
    return abs(a), b


@platt.whole_mistake(
    "It is temperature scaling: a is found with b = 0, and its inverse is returned.",
    hint="A temperature divides the logit, and a multiplies it.",
)
def temperature(logits: Any, labels: Any) -> tuple[float, float]:
    a, b = without_offset(logits, labels)
    return 1 / a, b


@platt.whole_mistake(
    "a and b are returned in the wrong order.",
    hint="First what multiplies the logit, then what is added.",
)
def swapped(logits: Any, labels: Any) -> tuple[float, float]:
    return right.fit_platt(logits, labels)[::-1]


@platt.whole_mistake(
    "Newton's steps are taken whole: for large logits they go too far and never come back.",
    hint="exp of some thousands is infinite. Standardise the logits first, or halve a step that makes the loss larger.",
)
def unguarded(logits: Any, labels: Any) -> tuple[float, float]:
    logits, labels = arrays(logits, labels)
    rows, targets, weights = np.stack([logits, np.ones_like(logits)], axis=1), platt_targets(labels), np.zeros(2)
    weights[0] = 1.0  # as if the model were right already
    for _ in range(30):
        p = np.exp(-np.logaddexp(0, -(rows @ weights)))
        hessian = (rows.T * (p * (1 - p))) @ rows + 1e-12 * np.eye(2)
        weights = np.clip(weights - np.linalg.solve(hessian, rows.T @ (p - targets)), -1e6, 1e6)
    return float(weights[0]), float(weights[1])
