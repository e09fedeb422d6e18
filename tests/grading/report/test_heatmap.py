"""Heat maps show where arrays differ, also where they hold what is no number."""

from __future__ import annotations

import numpy as np
import pytest

from grading.feedback.heatmap import panels
from grading.judging.comparison import Difference


def difference(given: object, wanted: object) -> list[list[str]]:
    """The numbers in the third panel."""
    (_, _, panel) = panels(Difference("differs", np.array(given), np.array(wanted)))
    return [[text for _, text in row] for row in panel.rows]


@pytest.mark.parametrize(
    ("given", "wanted", "shown"),
    [
        ([[1.0, 5.0]], [[1.0, 2.0]], ["0", "3"]),
        ([[np.nan, 5.0]], [[1.0, 2.0]], ["nan", "3"]),
        ([[-np.inf, 1.0]], [[-np.inf, 2.0]], ["0", "1"]),
        ([[np.nan, 1.0]], [[np.nan, 2.0]], ["0", "1"]),
    ],
)
def test_what_is_equal_has_no_difference_and_what_is_no_number_stays_none(
    given: list[list[float]], wanted: list[list[float]], shown: list[str]
) -> None:
    assert difference(given, wanted) == [shown]


def test_the_slice_that_is_no_number_differs_most() -> None:
    given, wanted = np.zeros((2, 1, 2)), np.zeros((2, 1, 2))
    given[0, 0, 0], given[1, 0, 1] = 7, np.nan
    assert difference(given, wanted) == [["0", "nan"]]
