"""Batches of several languages: shares, rounds without repetition, and seeds."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from course.given.languages import language_batches

LENGTH, BATCH = 3, 7
SIZES = (11, 5, 2)
# The numbers of a row encode its language and its number there.
ROWS = [np.stack([np.full(LENGTH, 100 * language + row) for row in range(size)]) for language, size in enumerate(SIZES)]
SHARES = np.array([0.2, 0.5, 0.3])


def drawn(batches: int, shares: np.ndarray = SHARES, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    first = list(islice(language_batches(ROWS, shares, BATCH, seed), batches))
    return np.concatenate([rows for rows, _ in first]), np.concatenate([languages for _, languages in first])


def test_a_batch_has_rows_and_the_language_of_each() -> None:
    rows, languages = next(language_batches(ROWS, SHARES, BATCH))
    assert rows.shape == (BATCH, LENGTH) and languages.shape == (BATCH,)
    assert (rows[:, 0] // 100 == languages).all()


def test_languages_are_drawn_by_their_shares() -> None:
    _, languages = drawn(600)
    counts, expected = np.bincount(languages, minlength=3), 600 * BATCH * SHARES
    # χ² with two degrees of freedom exceeds 27.6 once in a million draws.
    assert ((counts - expected) ** 2 / expected).sum() < 27.6


def test_rows_of_a_language_repeat_only_after_a_full_round_in_a_new_order() -> None:
    rows, languages = drawn(60)
    for language, size in enumerate(SIZES):
        numbers = rows[languages == language, 0] - 100 * language
        rounds = [numbers[start : start + size].tolist() for start in range(0, len(numbers) - size + 1, size)]
        assert all(sorted(order) == list(range(size)) for order in rounds)
        assert len({tuple(order) for order in rounds}) > 1


def test_the_seed_decides_the_order() -> None:
    assert np.array_equal(drawn(5)[0], drawn(5)[0])
    assert not np.array_equal(drawn(5)[0], drawn(5, seed=4)[0])


def test_a_language_that_is_never_drawn_needs_no_text() -> None:
    rows, languages = next(language_batches([ROWS[0], ROWS[1][:0]], [1, 0], BATCH))
    assert (languages == 0).all() and (rows < 100).all()


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ([0.5, 0.5], "must be one for each of 3 languages, and sum to 1. Received: .0.5, 0.5."),
        ([0.5, 0.6, -0.1], "sum to 1. Received: .0.5, 0.6, -0.1."),
        ([0.5, 0.2, 0.2], "sum to 1"),
    ],
)
def test_bad_shares_are_named_before_the_first_batch(shares: list[float], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        language_batches(ROWS, shares, BATCH)


def test_languages_without_text_and_empty_batches_are_named() -> None:
    with pytest.raises(ValueError, match="Received: none in language 1"):
        language_batches([ROWS[0], ROWS[1][:0]], [0.9, 0.1], BATCH)
    with pytest.raises(ValueError, match="batch_size=0"):
        language_batches(ROWS, SHARES, 0)
