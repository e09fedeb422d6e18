"""What goes wrong in calibration_error."""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.exercises.matching.checks import calibration


def binned(p: np.ndarray, labels: np.ndarray, places: np.ndarray) -> list[tuple[float, float, int]]:
    """Of each bin that has pairs: the mean probability, the share that matches, and how many pairs it has."""
    return [
        (float(p[places == one].mean()), float(labels[places == one].mean()), int(np.sum(places == one)))
        for one in np.unique(places)
    ]


def arrays(p: Any, labels: Any) -> tuple[np.ndarray, np.ndarray]:
    return np.asarray(p, float), np.asarray(labels, float)


def places_of(p: np.ndarray, bins: int) -> np.ndarray:
    return np.minimum(np.floor(p * bins), bins - 1)


def weighted(found: list[tuple[float, float, int]]) -> float:
    total = sum(count for *_, count in found)
    return sum(count * abs(mean - share) for mean, share, count in found) / max(total, 1)


@calibration.whole_mistake(
    "All bins count the same, however many pairs they have.",
    hint="A bin with two pairs says little. What does it weigh?",
)
def unweighted(probabilities: Any, labels: Any, bins: int = 10) -> float:
    p, labels = arrays(probabilities, labels)
    found = binned(p, labels, places_of(p, bins))
    return float(np.mean([abs(mean - share) for mean, share, _ in found]))


@calibration.whole_mistake(
    "The gaps are divided by the number of bins, empty ones as well.",
    hint="Pairs are weighed, not bins. An empty bin counts nothing, above the line and below it.",
)
def divided_by_bins(probabilities: Any, labels: Any, bins: int = 10) -> float:
    p, labels = arrays(probabilities, labels)
    return sum(abs(mean - share) for mean, share, _ in binned(p, labels, places_of(p, bins))) / bins


@calibration.whole_mistake(
    "Pairs with a probability of exactly 1 fall out of all bins.",
    hint="The last bin has both of its bounds.",
)
def ones_lost(probabilities: Any, labels: Any, bins: int = 10) -> float:
    p, labels = arrays(probabilities, labels)
    kept = p < 1
    found = binned(p[kept], labels[kept], places_of(p[kept], bins))
    return sum(count * abs(mean - share) for mean, share, count in found) / len(p)


@calibration.whole_mistake(
    "Pairs with a probability of exactly 1 have a bin of their own.",
    hint="There are `bins` bins, and the last one has 1 in it.",
)
def ones_apart(probabilities: Any, labels: Any, bins: int = 10) -> float:
    p, labels = arrays(probabilities, labels)
    return weighted(binned(p, labels, np.floor(p * bins)))


@calibration.whole_mistake(
    "An empty bin makes NaN of the whole error.",
    hint="The mean of nothing is NaN. Which bins are looked at?",
)
def nan_where_empty(probabilities: Any, labels: Any, bins: int = 10) -> float:
    p, labels = arrays(probabilities, labels)
    found = binned(p, labels, places_of(p, bins))
    return weighted(found) if len(found) == bins else float("nan")


@calibration.whole_mistake(
    "The probability is compared with whether 0.5 would decide rightly, not with the share that matches: it is the "
    "accuracy that is in the bins.",
    hint="Of pairs at 0.1, one in ten should match. How often 'no' is right there is another question.",
)
def accuracy_in_bins(probabilities: Any, labels: Any, bins: int = 10) -> float:
    p, labels = arrays(probabilities, labels)
    return weighted(binned(p, ((p >= 0.5) == (labels > 0)).astype(float), places_of(p, bins)))


@calibration.whole_mistake(
    "The confidence in the likelier answer is sorted into the bins, as for several classes.",
    hint="That is the error of a classifier of several classes. Here the probability of a match counts, from 0 to 1.",
)
def of_confidence(probabilities: Any, labels: Any, bins: int = 10) -> float:
    p, labels = arrays(probabilities, labels)
    sure = np.maximum(p, 1 - p)
    return weighted(binned(sure, ((p >= 0.5) == (labels > 0)).astype(float), places_of(sure, bins)))


@calibration.whole_mistake(
    "The middle of each bin stands for the probabilities in it, not their mean.",
    hint="The pairs of a bin may all be near one end.",
)
def middles(probabilities: Any, labels: Any, bins: int = 10) -> float:
    p, labels = arrays(probabilities, labels)
    places = places_of(p, bins)
    return weighted(binned((places + 0.5) / bins, labels, places))


@calibration.whole_mistake(
    "The bins have equal numbers of pairs, not equal widths.",
    hint="That is a measure as well, with another name. Where do the bins begin here?",
)
def equal_counts(probabilities: Any, labels: Any, bins: int = 10) -> float:
    p, labels = arrays(probabilities, labels)
    order = np.argsort(p, kind="stable")
    places = np.empty(len(p))
    for number, part in enumerate(np.array_split(order, bins)):
        places[part] = number
    return weighted(binned(p, labels, places))


@calibration.whole_mistake(
    "The gaps are squared.",
    hint="The gap counts as it is, without its sign.",
)
def squared(probabilities: Any, labels: Any, bins: int = 10) -> float:
    p, labels = arrays(probabilities, labels)
    found = binned(p, labels, places_of(p, bins))
    return sum(count * (mean - share) ** 2 for mean, share, count in found) / len(p)


@calibration.whole_mistake(
    "Gaps keep their sign, so that bins which are too sure make up for others which are not sure enough.",
    hint="Two errors do not make it right. What takes a sign away?",
)
def with_signs(probabilities: Any, labels: Any, bins: int = 10) -> float:
    p, labels = arrays(probabilities, labels)
    return abs(float(np.mean(p - labels)))


@calibration.whole_mistake(
    "Each pair is compared with its own label: that is the mean absolute error.",
    hint="A probability of 0.7 is right if 7 in 10 such pairs match. A single pair cannot show it.",
)
def pair_by_pair(probabilities: Any, labels: Any, bins: int = 10) -> float:
    p, labels = arrays(probabilities, labels)
    return float(np.mean(np.abs(p - labels)))


@calibration.whole_mistake(
    "It is the Brier score, the mean of (p - label)².",
    hint="The Brier score knows no bins, and is not 0 where all probabilities are right.",
)
def brier(probabilities: Any, labels: Any, bins: int = 10) -> float:
    p, labels = arrays(probabilities, labels)
    return float(np.mean((p - labels) ** 2))


@calibration.whole_mistake(
    "The largest gap is returned, not the mean one.",
    hint="That is the *maximum* calibration error. Here it is the expected one.",
)
def largest(probabilities: Any, labels: Any, bins: int = 10) -> float:
    p, labels = arrays(probabilities, labels)
    return max(abs(mean - share) for mean, share, _ in binned(p, labels, places_of(p, bins)))


@calibration.whole_mistake(
    "There are always 10 bins.",
    hint="`bins` is an argument.",
)
def always_10(probabilities: Any, labels: Any, bins: int = 10) -> float:
    p, labels = arrays(probabilities, labels)
    return weighted(binned(p, labels, places_of(p, 10)))


@calibration.whole_mistake(
    "A bin ends with its upper bound, instead of beginning with its lower one.",
    hint="With two bins, 0.5 is in the second.",
)
def upper_bounds(probabilities: Any, labels: Any, bins: int = 10) -> float:
    p, labels = arrays(probabilities, labels)
    return weighted(binned(p, labels, np.maximum(np.ceil(p * bins) - 1, 0)))
