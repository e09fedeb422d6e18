"""Pairs of headlines and articles: is each negative a hard one, and are gains what the names say?"""

from __future__ import annotations

import numpy as np
import pandas as pd

from course.applications.retrieval.headlines import drawn_pairs, graded_gains, hard_pairs, tfidf_scores
from course.data.datasets import load_sample
from course.data.datasets.sample import Entity


def test_words_that_few_documents_have_count_more() -> None:
    found = tfidf_scores(["the harbour", "the the"], ["the harbour", "the mine", "the mayor"])
    assert found.shape == (2, 3)
    assert found[0, 0] > 0.99
    np.testing.assert_allclose(found[1, 1], found[1, 2])


def test_hard_negatives_are_the_likest_wrong_ones() -> None:
    scores = np.array([[0.1, 0.9, 0.2, 0.5], [0.3, 0.8, 0.3, 0.4], [0.0, 0.1, 0.9, 0.2]])
    found = hard_pairs(scores, negatives=2)
    assert found.queries.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert found.documents.tolist() == [0, 1, 3, 1, 3, 0, 2, 3, 1]
    assert found.labels.tolist() == [1, 0, 0] * 3


def test_drawn_negatives_are_of_the_group_and_no_two_alike() -> None:
    groups = np.repeat([0, 1, 2], [6, 5, 7])
    found = drawn_pairs(groups, [1, 4, 2], seed=3)
    assert [int((found.queries == query).sum()) for query in (0, 7, 12)] == [2, 5, 3]
    assert (groups[found.queries] == groups[found.documents]).all()
    assert found.labels.tolist() == (found.queries == found.documents).astype(int).tolist()
    assert len(set(zip(found.queries, found.documents, strict=True))) == len(found.queries)
    again, other = drawn_pairs(groups, [1, 4, 2], seed=3), drawn_pairs(groups, [1, 4, 2], seed=4)
    np.testing.assert_array_equal(again.documents, found.documents)
    assert (other.documents != found.documents).any()


def test_gains_are_of_names_and_topics() -> None:
    text = "Ada Bob Cid Dan"
    names = [Entity(place, place + 3, "person") for place in (0, 4, 8, 12)]
    articles = pd.DataFrame(
        {
            "description": [text] * 4,
            "entities": [names, names[:3], names[:2], names],
            "label": [1, 1, 1, 2],
        }
    )
    assert graded_gains(articles).tolist() == [[3, 1, 0, 0], [1, 3, 0, 0], [0, 0, 3, 0], [0, 0, 0, 3]]


def test_of_the_sample_most_headlines_have_more_than_one_good_article() -> None:
    gains = graded_gains(load_sample()[4000:])
    np.testing.assert_array_equal(gains, gains.T)
    assert set(np.unique(gains)) == {0, 1, 3}
    assert np.median((gains > 0).sum(axis=1)) >= 3
