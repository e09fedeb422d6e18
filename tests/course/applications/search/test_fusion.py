"""Reciprocal rank fusion: ranks count, scores do not."""

from __future__ import annotations

import numpy as np
import pytest

from course.applications.search.fusion import Fusion
from course.applications.search.ranking import Ranking


class Known:
    """Finds these documents, the best first, and remembers how many it was asked for."""

    def __init__(self, *documents: int) -> None:
        self.documents, self.asked = documents, 0

    def rank(self, query: str, top: int) -> Ranking:
        self.asked = top
        documents = np.array(self.documents[:top], "int64")
        return Ranking(documents, 1000.0 - np.arange(len(documents)))


def test_a_document_gets_a_share_from_each_ranker_that_finds_it() -> None:
    found = Fusion([Known(4, 1, 3), Known(3, 4)]).rank("wing", 10)
    assert found.documents.tolist() == [4, 3, 1]
    assert found.scores.tolist() == pytest.approx([1 / 61 + 1 / 62, 1 / 63 + 1 / 61, 1 / 62])


def test_ties_keep_the_order_of_the_index() -> None:
    assert Fusion([Known(7, 2), Known(2, 7)]).rank("wing", 1).documents.tolist() == [2]


def test_documents_beyond_the_wanted_ones_count() -> None:
    first, second = Known(1, 2, 3), Known(4, 5, 3)
    assert Fusion([first, second]).rank("wing", 1).documents.tolist() == [3]
    assert first.asked == second.asked == 1000
    Fusion([first, second]).rank("wing", 2000)
    assert first.asked == 2000


def test_nothing_found_is_nothing() -> None:
    found = Fusion([Known(), Known()]).rank("wing", 3)
    assert found.documents.tolist() == found.scores.tolist() == []
    assert Fusion([Known(), Known(5)]).rank("wing", 3).documents.tolist() == [5]


def test_a_top_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="top"):
        Fusion([Known(1)]).rank("wing", 0)
