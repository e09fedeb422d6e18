"""The probability of each language."""

from __future__ import annotations

import numpy as np
import pytest

from course.objectives import language_probabilities


def test_agrees_with_the_numbers_of_the_paper() -> None:
    np.testing.assert_allclose(language_probabilities([0.9, 0.09, 0.01]), [0.568, 0.285, 0.147], atol=5e-4)


@pytest.mark.parametrize("scale", [1, 7, 1e9])
def test_only_shares_count(scale: float) -> None:
    given = language_probabilities([5 * scale, 3 * scale, 2 * scale], alpha=0.5)
    np.testing.assert_allclose(given, np.sqrt([5, 3, 2]) / np.sqrt([5, 3, 2]).sum(), rtol=1e-12)


def test_alpha_1_keeps_shares_and_alpha_0_equalizes_them() -> None:
    np.testing.assert_allclose(language_probabilities([6, 3, 1], alpha=1), [0.6, 0.3, 0.1])
    np.testing.assert_allclose(language_probabilities([6, 3, 1], alpha=0), np.full(3, 1 / 3))


@pytest.mark.parametrize("alpha", [0, 0.3, 1])
def test_a_language_without_text_is_never_drawn(alpha: float) -> None:
    given = language_probabilities([4, 0, 1], alpha=alpha)
    assert given[1] == 0
    assert given.sum() == pytest.approx(1)
