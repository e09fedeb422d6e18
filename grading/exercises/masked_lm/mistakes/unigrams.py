"""What goes wrong in unigram_probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import course.masked_lm as right
from grading.exercises.masked_lm.checks import unigrams


def counts(token_ids: Any, vocabulary_size: int, special_ids: Sequence[int]) -> np.ndarray:
    """How often each id occurs; never, if it is special."""
    counted = np.bincount(np.ravel(token_ids), minlength=vocabulary_size).astype("float64")
    counted[list(special_ids)] = 0.0
    return counted


@unigrams.whole_mistake(
    "Special tokens are counted as words.",
    hint="[CLS] and [SEP] stand in every text. May they be drawn as random words?",
)
def specials_counted(token_ids: Any, vocabulary_size: int, special_ids: Sequence[int]) -> Any:
    return right.unigram_probabilities(token_ids, vocabulary_size, [])


@unigrams.whole_mistake(
    "Special tokens get 0, but they are still part of the sum by which the others are divided.",
    hint="Probabilities sum to 1. What do yours sum to? In which order do you divide and set to 0?",
)
def divided_by_all_tokens(token_ids: Any, vocabulary_size: int, special_ids: Sequence[int]) -> Any:
    return counts(token_ids, vocabulary_size, special_ids) / np.size(token_ids)


@unigrams.whole_mistake(
    "The counts are returned, not the probabilities.",
    hint="Probabilities sum to 1. By what must each count be divided?",
)
def not_divided(token_ids: Any, vocabulary_size: int, special_ids: Sequence[int]) -> Any:
    return counts(token_ids, vocabulary_size, special_ids)


@unigrams.whole_mistake(
    "All words that occur are equally likely, however often they do.",
    hint="A word that occurs twice as often is twice as likely.",
)
def uniform(token_ids: Any, vocabulary_size: int, special_ids: Sequence[int]) -> Any:
    occurs = counts(token_ids, vocabulary_size, special_ids) > 0
    return occurs / occurs.sum()


@unigrams.whole_mistake(
    "A word is counted once for each text that it is in, not once for each time that it occurs.",
    hint="Does a word that occurs twice in one row count twice?",
)
def once_a_row(token_ids: Any, vocabulary_size: int, special_ids: Sequence[int]) -> Any:
    rows = np.concatenate([np.unique(row) for row in np.atleast_2d(token_ids)])
    return right.unigram_probabilities(rows, vocabulary_size, special_ids)


@unigrams.whole_mistake(
    "The probabilities end at the largest id that occurs, not at the end of the vocabulary.",
    hint="There is a place for each of the vocabulary_size ids. See what `np.bincount` takes besides the ids.",
)
def too_short(token_ids: Any, vocabulary_size: int, special_ids: Sequence[int]) -> Any:
    size = int(np.max(token_ids)) + 1
    return right.unigram_probabilities(token_ids, size, [each for each in special_ids if each < size])


@unigrams.whole_mistake(
    "A word that never occurs gets a probability, too, because 1 is added to every count.",
    hint="Smoothing helps elsewhere. Here, a word that never occurs is never drawn.",
)
def smoothed(token_ids: Any, vocabulary_size: int, special_ids: Sequence[int]) -> Any:
    counted = counts(token_ids, vocabulary_size, []) + 1.0
    counted[list(special_ids)] = 0.0
    return counted / counted.sum()


@unigrams.whole_mistake(
    "The counts are raised to a power below 1, as for the negative examples of word2vec.",
    hint="That lifts rare words. Here a word is as likely as it is frequent.",
)
def flattened(token_ids: Any, vocabulary_size: int, special_ids: Sequence[int]) -> Any:
    counted = counts(token_ids, vocabulary_size, special_ids) ** 0.75
    return counted / counted.sum()


@unigrams.whole_mistake(
    "It is a softmax of the counts, not the counts divided by their sum.",
    hint="A softmax takes exponentials first. Does a word that occurs twice as often come out twice as likely?",
)
def softmax_of_counts(token_ids: Any, vocabulary_size: int, special_ids: Sequence[int]) -> Any:
    exponentials = np.exp(counts(token_ids, vocabulary_size, []))
    exponentials[list(special_ids)] = 0.0
    return exponentials / exponentials.sum()
