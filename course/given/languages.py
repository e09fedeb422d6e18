"""Batches of rows of several languages, each drawn with a given probability."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from course.validation.values import require_seed, require_sizes


def language_batches(
    rows: Sequence[np.ndarray], probabilities: Any, batch_size: int, seed: int = 0
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yields batches without end.

    Each row's language is drawn independently. The rows of a language come in random order, and all of them come before
    one comes again.

    Args:
        rows: for each language its rows, (rows, length), of one length.
        probabilities: (languages,), how often each is drawn, as from `language_probabilities`.
        batch_size: how many rows a batch has.
        seed: of the draws.

    Yields:
        The rows, (batch_size, length), and the language of each, (batch_size,).

    Raises:
        ValueError: not one probability for each language, values that are not probabilities, or a language without
            rows that may be drawn.

    Reference: Conneau and Lample, "Cross-lingual Language Model Pretraining", 2019, section 3.1.
    """
    require_sizes(batch_size=batch_size)
    require_seed(seed)
    shares = np.asarray(probabilities, "float64")
    if shares.shape != (len(rows),) or (shares < 0).any() or not np.isclose(shares.sum(), 1):
        raise ValueError(
            f"probabilities must be one for each of {len(rows)} languages, and sum to 1. Received: {shares.tolist()}"
        )
    empty = [number for number, of_language in enumerate(rows) if shares[number] and not len(of_language)]
    if empty:
        raise ValueError(f"a language that is drawn must have rows. Received: none in language {empty[0]}")
    return _drawn(rows, shares, batch_size, np.random.default_rng(seed))


def _drawn(
    rows: Sequence[np.ndarray], shares: np.ndarray, batch_size: int, random: np.random.Generator
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    orders = [_again_and_again(len(of_language), random) for of_language in rows]
    while True:
        languages = random.choice(len(rows), size=batch_size, p=shares)
        yield np.stack([rows[language][next(orders[language])] for language in languages]), languages


def _again_and_again(count: int, random: np.random.Generator) -> Iterator[int]:
    while True:
        yield from random.permutation(count)
