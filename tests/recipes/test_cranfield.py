"""The measures of the Cranfield recipe, by hand and on a small collection, and its stored results."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from course.applications.search.ranking import Ranking
from recipes import cranfield
from recipes.paths import PAGE


@pytest.mark.parametrize(
    ("found", "relevant", "expected"),
    [
        (
            [7, 3, 9, 4],
            {3, 4, 8},
            ((1 / 2 + 2 / 4) / 3, (1 / np.log2(3) + 1 / np.log2(5)) / (1 + 1 / np.log2(3) + 0.5), 0.5),
        ),
        ([*range(11), 20], {20}, (1 / 12, 0.0, 0.0)),
        ([], {1, 2}, (0.0, 0.0, 0.0)),
    ],
)
def test_measures_of_a_query_count_its_relevant_documents(
    found: list[int], relevant: set[int], expected: tuple[float, ...]
) -> None:
    assert cranfield.measures(found, relevant) == pytest.approx(expected)


def test_only_queries_with_relevant_documents_are_measured_by_document_number() -> None:
    class Known:
        def rank(self, query: str, top: int) -> Ranking:
            documents = np.array([2, 0] if query == "one" else [1])
            return Ranking(documents, np.ones(len(documents)))

    queries = pd.DataFrame({"query": [1, 2, 3], "text": ["one", "two", "three"]})
    judgements = pd.DataFrame({"query": [1, 2, 3], "document": [30, 10, 20], "gain": [4, 1, 0]})
    found = cranfield.measure(Known(), np.array([10, 20, 30]), queries, judgements)
    assert found["queries"] == 2
    assert [found[name]["value"] for name in cranfield.MEASURES] == [0.5, 0.5, 0.5]


@pytest.mark.parametrize(
    ("own", "expected"), [(cranfield.LEFT_OUT, 1.0), (cranfield.WRONG, 0.5), (cranfield.RIGHT, 1.0)]
)
def test_the_authors_own_paper_is_left_out_wrong_or_right(own: str, expected: float) -> None:
    class Known:
        def rank(self, query: str, top: int) -> Ranking:
            return Ranking(np.array([1, 0]), np.ones(2))

    queries = pd.DataFrame({"query": [1], "text": ["one"]})
    judgements = pd.DataFrame({"query": [1, 1], "document": [10, 20], "gain": [4, 0]})
    found = cranfield.measure(Known(), np.array([10, 20]), queries, judgements, own)
    assert found["MAP"]["value"] == expected


def test_the_page_matches_the_stored_results() -> None:
    assert cranfield.section_of(cranfield.RESULTS) in PAGE.read_text(encoding="utf-8")


def test_stored_results_cover_all_queries() -> None:
    stored = json.loads(Path(cranfield.RESULTS).read_text(encoding="utf-8"))
    assert stored["BM25"]["queries"] == 225
    for name in cranfield.MEASURES:
        assert 0 < stored["BM25"][name]["low"] < stored["BM25"][name]["value"] < stored["BM25"][name]["high"] < 1
