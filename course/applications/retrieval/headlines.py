"""Headlines of the sample as queries, its articles as documents, and pairs of both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from course.validation.arrays import require_integers
from course.validation.values import require_seed, require_sizes, require_texts


class Pairs(NamedTuple):
    """Pairs of a query and a document, by their numbers.

    Attributes:
        queries: (pairs,).
        documents: (pairs,).
        labels: (pairs,), 1 where they match.
    """

    queries: np.ndarray
    documents: np.ndarray
    labels: np.ndarray


def tfidf_scores(queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
    """Return the TF-IDF cosine of each query and each document: (queries, documents).

    Words that few documents have count more.

    Raises:
        TypeError: a single string, or texts that are no strings.
        ValueError: no text, or no word in them.
    """
    queries, documents = require_texts(queries, "queries"), require_texts(documents, "documents")
    if not queries or not documents:
        raise ValueError(
            "there must be at least one query and one document. "
            f"Received: {len(queries)} queries and {len(documents)} documents"
        )
    from sklearn.feature_extraction.text import TfidfVectorizer

    words = TfidfVectorizer(sublinear_tf=True).fit(documents)
    return (words.transform(queries) @ words.transform(documents).T).toarray().astype("float32")


def hard_pairs(scores: np.ndarray, negatives: int) -> Pairs:
    """Pair each query with its own document, and with the wrong documents of the highest scores.

    Args:
        scores: (queries, documents), higher is more similar. Document i is that of query i. Another document with a
            score of -inf is not a wrong one.
        negatives: how many wrong documents each query gets, or fewer, if there are not so many.

    Raises:
        ValueError: too few documents.
    """
    require_sizes(negatives=negatives)
    queries, documents = scores.shape
    if not negatives < documents or queries > documents:
        raise ValueError(
            "there must be a document for each query, and more documents than negatives. "
            f"Received: scores.shape={scores.shape}, negatives={negatives}"
        )
    others = scores.astype("float64")
    own = np.arange(queries)
    others[own, own] = -np.inf
    wrong = np.argsort(-others, axis=1, kind="stable")[:, :negatives]
    taken = np.pad(np.take_along_axis(others, wrong, axis=1) > -np.inf, ((0, 0), (1, 0)), constant_values=True)
    labels = np.tile([1] + [0] * negatives, (queries, 1))
    return Pairs(np.repeat(own, taken.sum(axis=1)), np.concatenate([own[:, None], wrong], axis=1)[taken], labels[taken])


def drawn_pairs(groups: np.ndarray, negatives: Sequence[int], seed: int = 0) -> Pairs:
    """Pair each query with its own document, and with wrong documents drawn from its group.

    Args:
        groups: (queries,), integers from 0 on, such as topics. Document i is that of query i, and of the same group.
        negatives: for each group, how many wrong documents each query gets.
        seed: of the drawing.

    Raises:
        ValueError: a group without a number in `negatives`, or with too few documents.
    """
    require_seed(seed)
    require_integers(groups, "groups")
    counts = np.bincount(groups, minlength=len(negatives))
    if len(counts) > len(negatives) or any(
        not 0 <= wanted < count for wanted, count in zip(negatives, counts, strict=True) if count
    ):
        raise ValueError(
            "each group must have a number of negatives, and more documents than negatives. "
            f"Received: {counts.tolist()} documents, negatives={list(negatives)}"
        )
    random = np.random.default_rng(seed)
    queries: list[int] = []
    documents: list[int] = []
    for query, group in enumerate(groups):
        others = np.setdiff1d(np.flatnonzero(groups == group), query)
        documents += [query, *random.choice(others, negatives[group], replace=False)]
        queries += [query] * (negatives[group] + 1)
    labels = [int(query == document) for query, document in zip(queries, documents, strict=True)]
    return Pairs(np.array(queries), np.array(documents), np.array(labels, "int32"))


def names_in(articles: pd.DataFrame) -> list[set[str]]:
    """Return the names in each article of the sample, as written there."""
    return [
        {text[start:end] for start, end, _ in entities}
        for text, entities in zip(articles["description"], articles["entities"], strict=True)
    ]


def graded_gains(articles: pd.DataFrame) -> np.ndarray:
    """Return the gain of each article for each headline as a query: int, (queries, documents).

    3: the headline's own article. 1: an article of the same topic that shares at least three names with the headline's
    own article. 0: all others.

    Args:
        articles: of `load_sample`.
    """
    names = names_in(articles)
    number = {name: place for place, name in enumerate(sorted(set().union(*names)))}
    has = np.zeros((len(articles), len(number)), "float32")  # whole numbers up to 2^24 are exact
    for row, article_names in enumerate(names):
        has[row, [number[name] for name in article_names]] = 1
    topics = articles["label"].to_numpy()
    gains = ((has @ has.T >= 3) & (topics[:, None] == topics)).astype("int64")
    np.fill_diagonal(gains, 3)
    return gains
