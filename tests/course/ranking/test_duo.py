"""Every pair of the last candidates is compared once in each order, and the sums decide."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.ranking import duo_rank


def asked(candidates: np.ndarray, batch_size: int = 32) -> tuple[list[tuple[int, int]], list[int]]:
    """Return the compared pairs, and the number of pairs in each call."""
    pairs, sizes = [], []

    def compare(first: np.ndarray, second: np.ndarray) -> np.ndarray:
        pairs.extend(zip(first.tolist(), second.tolist(), strict=True))
        sizes.append(len(first))
        return np.full(len(first), 0.5)

    duo_rank(candidates, compare, batch_size)
    return pairs, sizes


@pytest.mark.parametrize(("candidates", "pairs"), [(10, 90), (20, 380), (1, 0), (0, 0)])
def test_every_ordered_pair_is_compared_once(candidates: int, pairs: int) -> None:
    ids = np.arange(candidates) * 3 + 7
    found, sizes = asked(ids)
    assert len(found) == len(set(found)) == pairs
    assert set(found) == {(first, second) for first in ids for second in ids if first != second}
    assert max(sizes, default=0) <= 32


@given(st.integers(2, 7), st.integers(1, 50), st.integers(0, 99))
def test_sums_decide_for_any_batch_size(count: int, batch_size: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    better = random.random((count, count))
    ids = random.permutation(100)[:count]
    place = {number: row for row, number in enumerate(ids.tolist())}

    def compare(first: np.ndarray, second: np.ndarray) -> np.ndarray:
        return np.array(
            [better[place[left], place[right]] for left, right in zip(first.tolist(), second.tolist(), strict=True)]
        )

    ranked, scores = duo_rank(ids, compare, batch_size)
    sums = {number: sum(better[row, other] for other in range(count) if other != row) for number, row in place.items()}
    assert sorted(ranked.tolist()) == sorted(ids.tolist())
    assert (np.diff(scores) <= 0).all()
    np.testing.assert_allclose(scores, [sums[number] for number in ranked.tolist()])


def test_ties_keep_the_order_of_the_candidates() -> None:
    ids = np.array([9, 2, 7, 5])
    found, scores = duo_rank(ids, lambda first, second: np.full(len(first), 0.5))
    assert found.tolist() == ids.tolist()
    assert scores.tolist() == [1.5] * 4
