"""Scores of translations, and of whether the model looked at the right words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

Texts = Sequence[Sequence[str]]


def exact_match(written: Texts, wanted: Texts) -> np.ndarray:
    """Return which texts are right in every word: booleans, (texts,).

    Raises:
        ValueError: no text, or not as many texts as wanted.
    """
    _require_as_many(written, wanted)
    return np.array([list(ours) == list(theirs) for ours, theirs in zip(written, wanted, strict=True)])


def chrf(written: Texts, wanted: Texts, longest: int = 6, beta: float = 2.0) -> float:
    """Return the F-score of character n-grams (1 to 6) over all texts together; recall counts more than precision.

    Precision and recall are each averaged over n. An n for which no text, or no reference, is long enough is left out.

    Args:
        written: texts, each as its words.
        wanted: the right ones.
        longest: the largest n.
        beta: how many times more recall counts than precision.

    Returns:
        From 0 to 100.

    Raises:
        ValueError: no text, or not as many texts as wanted.

    Reference: Popović, "chrF", 2015, https://aclanthology.org/W15-3049/; spaces do not count.
    """
    _require_as_many(written, wanted)
    rates = []  # precision and recall of each length
    for length in range(1, longest + 1):
        right = in_written = in_wanted = 0
        for text, reference in zip(written, wanted, strict=True):
            ours, theirs = _runs(text, length), _runs(reference, length)
            right += (ours & theirs).total()
            in_written += ours.total()
            in_wanted += theirs.total()
        if in_written and in_wanted:
            rates.append((right / in_written, right / in_wanted))
    precision, recall = np.mean(rates, axis=0) if rates else (0.0, 0.0)
    divisor = beta**2 * precision + recall
    return 100 * float((1 + beta**2) * precision * recall / divisor) if divisor else 0.0


def alignment_score(weights: Sequence[np.ndarray], alignments: Sequence[Sequence[int]]) -> float:
    """Return the share of written words for which most attention weight lay on the word that they translate.

    Args:
        weights: for each text (length, source_length). The length may exceed the number of words.
        alignments: for each text, the source position of each of its words.

    Raises:
        ValueError: no text, not as many alignments as weights, or fewer rows than words.
    """
    _require_as_many(weights, alignments)
    hits = []
    for looks, places in zip(weights, alignments, strict=True):
        if len(looks) < len(places):
            raise ValueError(f"each word needs a row of weights. Received: {len(looks)} rows for {len(places)} words")
        hits.append(np.asarray(looks)[: len(places)].argmax(axis=1) == np.asarray(places))
    return float(np.concatenate(hits).mean())


def _runs(text: Sequence[str], length: int) -> Counter[str]:
    characters = "".join(text)
    return Counter(characters[start : start + length] for start in range(len(characters) - length + 1))


def _require_as_many(given: Sequence, wanted: Sequence) -> None:
    if not len(wanted) or len(given) != len(wanted):
        raise ValueError(
            f"there must be at least one text, and as many as wanted. Received: {len(given)}, wanted {len(wanted)}"
        )
