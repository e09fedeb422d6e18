"""Headlines of the sample as queries, its articles as what is looked for, and pairs of both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from course.validation.arrays import require_integers
from course.validation.values import require_seed, require_sizes, require_texts


class Pairs(NamedTuple):
    """A query and a document each, by their numbers.

    Attributes:
        queries: (pairs,).
        documents: (pairs,).
        labels: (pairs,), 1 where they match.
    """

    queries: np.ndarray
    documents: np.ndarray
    labels: np.ndarray


def tfidf_scores(queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
    """How alike each query and each document are by the words that both have: (queries, documents), cosines.

    A word counts the more, the fewer documents have it.

    Raises:
        TypeError: a single string, or texts that are no strings.
        ValueError: no text, or no word in them.
    """
    queries, documents = require_texts(queries, "queries"), require_texts(documents, "documents")
    if not queries or not documents:
        raise ValueError(f"there must be texts. Received: {len(queries)} queries and {len(documents)} documents")
    from sklearn.feature_extraction.text import TfidfVectorizer

    words = TfidfVectorizer(sublinear_tf=True).fit(documents)
    return (words.transform(queries) @ words.transform(documents).T).toarray().astype("float32")


def hard_pairs(scores: np.ndarray, negatives: int) -> Pairs:
    """Each query with its own document, and with the wrong ones that are likest to it.

    Args:
        scores: (queries, documents), the higher the likelier; document i is that of query i.
        negatives: how many wrong documents each query gets.

    Raises:
        ValueError: fewer documents than are asked for.
    """
    require_sizes(negatives=negatives)
    queries, documents = scores.shape
    if not negatives < documents or queries > documents:
        raise ValueError(
            "there must be a document for each query, and more of them than negatives. "
            f"Received: scores.shape={scores.shape}, negatives={negatives}"
        )
    others = scores.astype("float64")
    own = np.arange(queries)
    others[own, own] = -np.inf
    wrong = np.argsort(-others, axis=1, kind="stable")[:, :negatives]
    return Pairs(
        np.repeat(own, negatives + 1),
        np.concatenate([own[:, None], wrong], axis=1).reshape(-1),
        np.tile([1] + [0] * negatives, queries),
    )


def drawn_pairs(groups: np.ndarray, negatives: Sequence[int], seed: int = 0) -> Pairs:
    """Each query with its own document, and with wrong ones that are drawn from its group.

    Args:
        groups: (queries,), integers from 0 on, such as topics. Document i is that of query i, and of the same group.
        negatives: for each group, how many wrong documents each query gets.
        seed: the same seed draws the same ones.

    Raises:
        ValueError: a group that has no number, or fewer documents than it is to draw.
    """
    require_seed(seed)
    require_integers(groups, "groups")
    counts = np.bincount(groups, minlength=len(negatives))
    if len(counts) > len(negatives) or any(
        not 0 <= wanted < count for wanted, count in zip(negatives, counts, strict=True) if count
    ):
        raise ValueError(
            "each group must have a number of negatives, and more documents than these. "
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
    """The names in each article of the sample, as they are written."""
    return [
        {text[start:end] for start, end, _ in entities}
        for text, entities in zip(articles["description"], articles["entities"], strict=True)
    ]


def graded_gains(articles: pd.DataFrame) -> np.ndarray:
    """What each article is worth to who reads the headline of each other one: int, (queries, documents).

    3: it is the headline's own. 1: it is of the same topic, and has at least three names in common with the headline's
    own. 0: all others.

    Args:
        articles: of `load_sample`.
    """
    names = names_in(articles)
    number = {name: place for place, name in enumerate(sorted(set().union(*names)))}
    has = np.zeros((len(articles), len(number)), "float32")  # whole numbers up to 2^24 are exact
    for row, of_article in enumerate(names):
        has[row, [number[name] for name in of_article]] = 1
    topics = articles["label"].to_numpy()
    gains = ((has @ has.T >= 3) & (topics[:, None] == topics)).astype("int64")
    np.fill_diagonal(gains, 3)
    return gains
