"""What goes wrong in language_probabilities."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import course.objectives as right
from grading.exercises.objectives.checks import languages


def shares_of(counts: Sequence[float]) -> np.ndarray:
    return np.asarray(counts, "float64") / np.sum(counts)


@languages.whole_mistake(
    "What comes of the power is not divided by its sum.",
    hint="Probabilities are 1 in sum. Are p^α, if p is?",
)
def not_normalized(counts: Sequence[float], alpha: float = 0.3) -> np.ndarray:
    shares = shares_of(counts)
    return np.where(shares > 0, shares**alpha, 0.0)


@languages.whole_mistake(
    "The power is 1/α instead of α: the largest language is drawn even more often.",
    hint="α below 1 helps the small ones. Which of .01^.3 and .01^(1/.3) is larger than .01?",
)
def inverse_power(counts: Sequence[float], alpha: float = 0.3) -> np.ndarray:
    if not alpha:
        return right.language_probabilities(counts, alpha)
    shares = shares_of(counts) ** (1 / alpha)
    return shares / shares.sum()


@languages.whole_mistake(
    "A softmax of α p is taken: nearly all languages are drawn alike.",
    hint="softmax(α log p) would be right. Which numbers belong into it?",
)
def softmax_of_shares(counts: Sequence[float], alpha: float = 0.3) -> np.ndarray:
    exponentials = np.exp(alpha * shares_of(counts))
    return exponentials / exponentials.sum()


@languages.whole_mistake(
    "Shares are multiplied by α instead of raised to its power, so α changes nothing.",
    hint="A factor is lost when it is divided by the sum. What does ** do?",
)
def factor(counts: Sequence[float], alpha: float = 0.3) -> np.ndarray:
    return shares_of(counts)


@languages.whole_mistake(
    "α is applied twice.",
    hint="If the vocabulary was made with α, too, that is another place. How often is it in the equation?",
)
def twice(counts: Sequence[float], alpha: float = 0.3) -> np.ndarray:
    return right.language_probabilities(counts, alpha**2)


@languages.whole_mistake(
    "α is ignored: it is always 0.3.",
    hint="0.3 is only what `alpha` is unless somebody says otherwise.",
)
def always_the_same(counts: Sequence[float], alpha: float = 0.3) -> np.ndarray:
    return right.language_probabilities(counts)


@languages.whole_mistake(
    "A language without text gets a share where α is 0, since 0^0 is 1.",
    hint="What does NumPy say to 0.0 ** 0? And what could be drawn from a language without text?",
)
def nothing_to_the_zero(counts: Sequence[float], alpha: float = 0.3) -> np.ndarray:
    shares = shares_of(counts) ** alpha
    return shares / shares.sum()


@languages.whole_mistake(
    "One is added to each count, so a language without text is drawn.",
    hint="Smoothing by α needs no pseudo-counts. Which line adds something?",
)
def one_more(counts: Sequence[float], alpha: float = 0.3) -> np.ndarray:
    return right.language_probabilities([count + 1 for count in counts], alpha)


@languages.whole_mistake(
    "The shares come from the largest to the smallest, and not in the order of the languages.",
    hint="Share i is that of count i. Where did you sort?",
)
def sorted_shares(counts: Sequence[float], alpha: float = 0.3) -> np.ndarray:
    return np.sort(right.language_probabilities(counts, alpha))[::-1]


@languages.whole_mistake(
    "The shares are rounded, so they are no longer 1 in sum.",
    hint="Rounding is for the eyes. What is drawn needs the whole number.",
)
def rounded(counts: Sequence[float], alpha: float = 0.3) -> np.ndarray:
    return right.language_probabilities(counts, alpha).round(2)


@languages.whole_mistake(
    "Logarithms of counts are taken instead of a power of their shares.",
    hint="α log p is the logarithm of what is wanted. Which step is missing?",
)
def logarithms(counts: Sequence[float], alpha: float = 0.3) -> np.ndarray:
    logs = np.log1p(np.asarray(counts, "float64")) * alpha
    return logs / logs.sum() if alpha else right.language_probabilities(counts, alpha)
