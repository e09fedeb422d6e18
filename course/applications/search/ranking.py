"""Rankers of documents, and the results of a search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from course.applications.search.document import Document
from course.applications.search.index import Index
from course.validation.values import require_sizes


class Ranking(NamedTuple):
    """Documents, the best first.

    Attributes:
        documents: int64, (documents,), their numbers in the index.
        scores: float64, (documents,), higher is better.
    """

    documents: np.ndarray
    scores: np.ndarray


class Ranker(Protocol):
    """A ranker of an index's documents for `search`, and so for the command and the page: BM25 or any other."""

    def rank(self, query: str, top: int) -> Ranking:
        """Return the best documents for a query, at most `top`; fewer if fewer are found."""


class Result(NamedTuple):
    """A found document.

    Attributes:
        score: of the ranker.
        document: its number in the index.
        found: the document itself.
    """

    score: float
    document: int
    found: Document


def search(index: Index, ranker: Ranker, query: str, top: int = 10) -> list[Result]:
    """Return the best documents of an index for a query.

    Raises:
        CourseError: the index is damaged.
        TypeError: the query is not a string.
        ValueError: `top` is not a whole number of at least 1.
    """
    require_sizes(top=top)
    documents, scores = ranker.rank(query, top)
    return [
        Result(float(score), int(number), index.document(int(number)))
        for number, score in zip(documents, scores, strict=True)
    ]


def best(documents: np.ndarray, scores: np.ndarray, top: int) -> Ranking:
    """Return the documents with the highest scores; among equal scores, earlier documents come first.

    Args:
        documents: (documents,), in their order.
        scores: (documents,).
        top: how many.
    """
    if len(scores) > top:  # drop most documents before the sort
        is_candidate = scores >= np.partition(scores, -top)[-top]
        documents, scores = documents[is_candidate], scores[is_candidate]
    order = np.argsort(-scores, kind="stable")[:top]
    return Ranking(documents[order], scores[order])


def merged(index: Index, of_parts: Sequence[Ranking], top: int) -> Ranking:
    """Merge the rankings of an index's parts, each of which counts its documents from 0."""
    firsts = zip(index.first_documents, of_parts, strict=True)
    documents = np.concatenate([first + ranking.documents for first, ranking in firsts])
    return best(documents, np.concatenate([ranking.scores for ranking in of_parts]), top)
