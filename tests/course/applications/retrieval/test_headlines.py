"""Pairs of headlines and articles: hard and drawn negatives, and gains by names and topics."""

from __future__ import annotations

import numpy as np
import pandas as pd

from course.applications.retrieval.headlines import drawn_pairs, graded_gains, hard_pairs, tfidf_scores
from course.data.datasets import load_sample
from course.data.datasets.sample import Entity


def test_rare_words_count_more() -> None:
    scores = tfidf_scores(["the harbour", "the the"], ["the harbour", "the mine", "the mayor"])
    assert scores.shape == (2, 3)
    assert scores[0, 0] > 0.99
    np.testing.assert_allclose(scores[1, 1], scores[1, 2])


def test_hard_negatives_have_the_highest_scores() -> None:
    scores = np.array([[0.1, 0.9, 0.2, 0.5], [0.3, 0.8, 0.3, 0.4], [0.0, 0.1, 0.9, 0.2]])
    pairs = hard_pairs(scores, negatives=2)
    assert pairs.queries.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert pairs.documents.tolist() == [0, 1, 3, 1, 3, 0, 2, 3, 1]
    assert pairs.labels.tolist() == [1, 0, 0] * 3


def test_drawn_negatives_are_distinct_and_of_the_same_group() -> None:
    groups = np.repeat([0, 1, 2], [6, 5, 7])
    pairs = drawn_pairs(groups, [1, 4, 2], seed=3)
    assert [int((pairs.queries == query).sum()) for query in (0, 7, 12)] == [2, 5, 3]
    assert (groups[pairs.queries] == groups[pairs.documents]).all()
    assert pairs.labels.tolist() == (pairs.queries == pairs.documents).astype(int).tolist()
    assert len(set(zip(pairs.queries, pairs.documents, strict=True))) == len(pairs.queries)
    again, other = drawn_pairs(groups, [1, 4, 2], seed=3), drawn_pairs(groups, [1, 4, 2], seed=4)
    np.testing.assert_array_equal(again.documents, pairs.documents)
    assert (other.documents != pairs.documents).any()


def test_gains_depend_on_shared_names_and_topic() -> None:
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


def test_most_headlines_of_the_sample_have_several_good_articles() -> None:
    gains = graded_gains(load_sample()[4000:])
    np.testing.assert_array_equal(gains, gains.T)
    assert set(np.unique(gains)) == {0, 1, 3}
    assert np.median((gains > 0).sum(axis=1)) >= 3
